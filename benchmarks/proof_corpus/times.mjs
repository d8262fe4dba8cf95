// node times.mjs FILE...: for each certificate how many milliseconds of processor time the browser's verifier takes, the
// least of three, as one JSON object by file.
import fs from "node:fs";
import { load } from "../../tests/outside/verify_corpus.mjs";

const Scoreproof = load();
const taken = {};
for (const file of process.argv.slice(2)) {
  const text = fs.readFileSync(file, "utf8");
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage();
    const { valid, words } = Scoreproof.verify(text, {});
    const { user, system } = process.cpuUsage(before);
    if (!valid) throw new Error(`${file}: ${words}`);
    taken[file] = Math.min(taken[file] ?? Infinity, (user + system) / 1000);
  }
}
console.log(JSON.stringify(taken));
