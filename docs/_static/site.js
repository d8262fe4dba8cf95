"use strict";
// Code and tables that are wider than the page can be scrolled with the keyboard.
addEventListener("DOMContentLoaded", () => {
  for (const region of document.querySelectorAll("pre, .table-wrapper, .toc-scroll, .sidebar-scroll")) {
    region.tabIndex = 0;
  }
});
