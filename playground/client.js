// The worker, as the page sees it.

/** @typedef {import("./worker.js").Message} Message */
/** @typedef {{loaded: (part: import("./loading.js").Part, loaded: number, size: number) => void, ready: () => void, failed: (message: string) => void}} Listener */

/** Why there is nothing to show. */
export class Refused extends Error {}

/** The user has stopped what was asked for. */
export class Stopped extends Refused {}

export class Client {
  /** @param {URL} script @param {Listener} listener */
  constructor(script, listener) {
    this.script = script;
    this.listener = listener;
    this.last = 0;
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.worker = this.start();
  }

  start() {
    const worker = new Worker(this.script, { type: "module" });
    worker.addEventListener("message", ({ data }) => this.hear(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.listener.failed(event.message || "the worker cannot be loaded");
    });
    return worker;
  }

  /** Give up what is under way. Python starts again. */
  restart() {
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new Stopped("stopped"));
    this.waiting.clear();
    this.worker = this.start();
  }

  /** @param {Message} message */
  hear(message) {
    if (message.kind === "progress") this.listener.loaded(message.part, message.loaded, message.size);
    else if (message.kind === "ready") this.listener.ready();
    else if (message.kind === "failed") this.listener.failed(message.message);
    else {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.refused !== undefined) waiting?.reject(new Refused(message.refused));
      else if (message.failed !== undefined) waiting?.reject(new Error(message.failed));
      else waiting?.resolve(message.bytes ?? message.result);
    }
  }

  /** Call a method of glue.py's Session. @param {string} method @param {unknown[]} args @param {Uint8Array} [bytes] @returns {Promise<any>} */
  call(method, args = [], bytes) {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, method, args, bytes });
    });
  }
}
