// Browsers start no worker from a page that was opened as a file. A hidden frame runs the search's script instead.
// The theme would load such a shim from another host; the class has the name that its worker looks for.
"use strict";

if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.width = frame.height = "0";
      document.body.append(frame);
      const inside = frame.contentWindow;
      this.ready = new Promise((resolve, reject) => {
        // What the worker posts comes here; it loads nothing else, since the search is in English.
        inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
        const script = frame.contentDocument.createElement("script");
        script.src = new URL(url, document.baseURI).href;
        script.onload = () => resolve(inside);
        script.onerror = () => reject(new Error(`not loaded: ${url}`));
        frame.contentDocument.body.append(script);
      });
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }

    terminate() {}
  };
  window.Worker = window.IFrameWorker;
}
