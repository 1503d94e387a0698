// Tables that are wider than the page scroll; this makes them scroll from the keyboard, too.
const wide = new ResizeObserver((seen) => {
  for (const { target } of seen) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
});
addEventListener("load", () => {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) wide.observe(table);
});
