#!/bin/sh
# Makes sure that Chromium and its driver are there, and axe-core: the tests open the pages in a real browser.
set -eu

axe=.venv/axe-core
if [ ! -f "$axe/package/axe.min.js" ]; then
    mkdir -p "$axe"
    { command -v npm >/dev/null 2>&1 && (cd "$axe" && npm pack --silent axe-core@4 >/dev/null && tar xzf axe-core-*.tgz); } || {
        echo "browser: the pages' tests need axe-core, which npm could not bring; install npm and run again" >&2
        exit 1
    }
fi
if command -v chromium >/dev/null 2>&1 && command -v chromedriver >/dev/null 2>&1; then
    exit 0
fi

fail() {
    echo "browser: $1" >&2
    echo "browser: the report's tests need the programs chromium and chromedriver; install them and run again" >&2
    exit 1
}

command -v apt-get >/dev/null 2>&1 || fail "chromium or chromedriver is missing, and there is no apt-get to install them with"
if [ "$(id -u)" -eq 0 ]; then
    root=""
elif command -v sudo >/dev/null 2>&1; then
    root="sudo"
else
    fail "chromium or chromedriver is missing, and installing them needs root or sudo"
fi

echo "browser: installing chromium and chromium-driver" >&2
export DEBIAN_FRONTEND=noninteractive
{ $root apt-get update -qq && $root apt-get install -y -qq chromium chromium-driver; } >&2 \
    || fail "apt-get could not install chromium and chromium-driver"
command -v chromium >/dev/null 2>&1 && command -v chromedriver >/dev/null 2>&1 \
    || fail "they are still missing after the installation"
