"use strict";
// Sortable tables: a click on a heading (or Enter) sorts by that column, a second one the other way round.
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = table.querySelectorAll("thead th[data-column]");
  for (const heading of headings) {
    heading.querySelector("button").addEventListener("click", () => {
      const column = Number(heading.dataset.column);
      const numeric = heading.classList.contains("number");
      const down = heading.getAttribute("aria-sort") === (numeric ? "descending" : "ascending");
      const direction = numeric === down ? "ascending" : "descending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", direction);
      const key = row => row.children[column].dataset.key;
      const body = table.tBodies[0];
      const rows = [...body.rows].sort((a, b) =>
        numeric ? Number(key(a)) - Number(key(b)) : key(a).localeCompare(key(b)));
      if (direction === "descending") rows.reverse();
      body.append(...rows);
      body.classList.add("sorted");
    });
  }
}
