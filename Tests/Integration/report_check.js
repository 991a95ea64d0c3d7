// What a browser finds wrong with a report, in the title of its page. The test puts it into a copy, before the page's
// own script. `#widths` in the address: only whether anything is wider than the window.
"use strict";
const found = [];
addEventListener("error", event => found.push("error: " + event.message));
addEventListener("load", () => {
  const visible = element => element.checkVisibility();
  const colour = text => (text.match(/[\d.]+/g) || []).map(Number);
  const luminance = ([red, green, blue]) => [red, green, blue].map(value => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }).reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const parts = colour(getComputedStyle(at).backgroundColor);
      if (parts.length === 3 || parts[3] === 1) return parts;
    }
    return [255, 255, 255];
  };
  const check = name => {
    if (document.documentElement.scrollWidth > innerWidth) found.push(name + ": wider than the window");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || !visible(element) || element.closest("script, style")) continue;
      const style = getComputedStyle(element);
      const ratio = contrast(colour(style.color), ground(element));
      if (ratio < 4.5) found.push(`${name}: contrast ${ratio.toFixed(1)}: ${node.data.trim().slice(0, 40)}`);
    }
  };
  for (const details of document.querySelectorAll("details")) details.open = true;
  const slider = document.getElementById("version");
  const pictures = new Set();
  const texts = {};
  for (let version = Number(slider.min); version <= Number(slider.max); version++) {
    slider.value = version;
    slider.dispatchEvent(new Event("input"));
    check(document.getElementById("shown").textContent);
    texts[slider.getAttribute("aria-valuetext").split(":")[0]] = [...document.querySelectorAll(".d .b span")]
      .filter(text => visible(text) && !text.classList.contains("gone") && !text.closest(".gone"))
      .map(text => text.textContent).sort();
    pictures.add([...document.querySelectorAll(".d span")].filter(visible)
      .map(text => text.textContent + text.getAttribute("class")).join("\n"));
  }
  if (pictures.size !== slider.max - slider.min + 1) found.push("versions look alike: " + pictures.size);
  const links = [...document.querySelectorAll("a[href^='#']")];
  for (const link of links) if (!document.getElementById(link.hash.slice(1))) found.push("leads nowhere: " + link.hash);
  for (const element of document.querySelectorAll("input, button")) {
    const label = element.getAttribute("aria-label") || element.textContent.trim() ||
      (element.labels && element.labels.length && element.labels[0].textContent);
    if (!label) found.push("has no name: " + element.outerHTML.slice(0, 60));
  }
  const list = document.createElement("script");
  list.id = "texts";
  list.type = "application/json";
  list.textContent = JSON.stringify(texts);
  document.body.append(list);
  document.title = found.length ? "WRONG " + [...new Set(found)].slice(0, 20).join(" | ") : "RIGHT " + pictures.size;
});
