"use strict";
// Code and tables that are wider than the page can be scrolled with the keyboard.
addEventListener("DOMContentLoaded", () => {
  for (const region of document.querySelectorAll("pre, .table-wrapper, .toc-scroll, .sidebar-scroll")) {
    region.tabIndex = 0;
  }
  // The theme calls the captions of the navigation headings and does not say of which level.
  for (const caption of document.querySelectorAll(".caption[role=heading]:not([aria-level])")) {
    caption.setAttribute("aria-level", "2");
  }
  // What opens hidden code says so in its text; another label would not be found by those who speak to their machine.
  for (const summary of document.querySelectorAll("summary[aria-label]")) {
    summary.removeAttribute("aria-label");
  }
});
