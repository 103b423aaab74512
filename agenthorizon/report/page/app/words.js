/* Marks the words in which two texts differ: the longest common subsequence of their words. */
"use strict";

(() => {
  const MOST = 4000000; /* comparisons; longer texts are compared at their ends only */

  const split = (text) => text.split(/(\s+)/).filter((part) => part !== "");

  /* Returns for each text which of its parts are the other's too. */
  AH.common = (first, second) => {
    const [a, b] = [split(first), split(second)];
    const kept = [new Array(a.length).fill(false), new Array(b.length).fill(false)];
    let start = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) {
      kept[0][start] = kept[1][start] = true;
      start += 1;
    }
    let [endA, endB] = [a.length, b.length];
    while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
      endA -= 1;
      endB -= 1;
      kept[0][endA] = kept[1][endB] = true;
    }
    if ((endA - start) * (endB - start) <= MOST) middle(a, b, start, endA, endB, kept);
    return [a.map((part, n) => [part, kept[0][n]]), b.map((part, n) => [part, kept[1][n]])];
  };

  const middle = (a, b, start, endA, endB, kept) => {
    const [rows, width] = [endA - start, endB - start + 1];
    const longest = new Uint32Array((rows + 1) * width);
    for (let i = rows - 1; i >= 0; i -= 1) {
      for (let j = width - 2; j >= 0; j -= 1) {
        longest[i * width + j] = a[start + i] === b[start + j]
          ? longest[(i + 1) * width + j + 1] + 1
          : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
      }
    }
    let [i, j] = [0, 0];
    while (i < rows && j < width - 1) {
      if (a[start + i] === b[start + j]) {
        kept[0][start + i] = kept[1][start + j] = true;
        i += 1;
        j += 1;
      } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i += 1;
      else j += 1;
    }
  };

  /* Returns the nodes of a text, its own words marked; neighbours share one mark. */
  AH.marked = (parts) => {
    const nodes = [];
    let own = "";
    const close = () => {
      if (own.trim()) nodes.push(AH.el("mark", {}, own.trimEnd()), own.slice(own.trimEnd().length));
      else if (own) nodes.push(own);
      own = "";
    };
    parts.forEach(([part, isCommon], n) => {
      const between = isCommon && !part.trim() && own && n + 1 < parts.length && !parts[n + 1][1];
      if (isCommon && !between) {
        close();
        nodes.push(part);
      } else own += part;
    });
    close();
    return nodes;
  };
})();
