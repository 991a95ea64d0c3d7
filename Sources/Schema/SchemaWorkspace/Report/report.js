"use strict";
(() => {
  const slider = document.getElementById("version");
  const drawing = document.querySelector(".d");
  if (!slider || !drawing) return;
  const first = Number(slider.min);
  const names = slider.dataset.names.split(" ");
  const parts = [...drawing.querySelectorAll("[data-v]")].map(element => {
    const [from, to] = element.dataset.v.split("-").map(Number);
    return { element, from, to, arrival: element.dataset.a, ends: "e" in element.dataset };
  });
  const boxes = [...drawing.querySelectorAll(".b")];
  const show = version => {
    for (const { element, from, to, arrival, ends } of parts) {
      const isThere = version >= from && version <= to;
      const isGone = ends && version === to + 1;
      const arrives = isThere && version === from;
      element.classList.toggle("off", !isThere && !isGone);
      element.classList.toggle("gone", isGone);
      element.classList.toggle("added", arrives && arrival === "added");
      element.classList.toggle("changed", arrives && arrival === "changed");
    }
    for (const box of boxes) {
      box.classList.toggle("touched", box.querySelector("span.added, span.changed, span.gone") !== null);
    }
    const name = names[version - first];
    const step = document.getElementById("step-" + name);
    const words = step ? step.querySelector("summary").textContent : "the first version shown";
    slider.setAttribute("aria-valuetext", name + ": " + words);
    document.getElementById("shown").textContent = name + ": " + words;
  };
  slider.addEventListener("input", () => show(Number(slider.value)));
  document.querySelector(".bar").hidden = false;
  show(Number(slider.value));
})();
