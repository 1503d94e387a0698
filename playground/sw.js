// Keeps the page for use without a network. The build writes VERSION and FILES above this line.
/** @type {any} */
const worker = self;
const CACHE = `irlint-playground-${VERSION}`;

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(["./", ...FILES])));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  const isOld = (/** @type {string} */ name) => name.startsWith("irlint-playground-") && name !== CACHE;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)))).then(() => worker.clients.claim()));
});

// A file's folder is named by its content, so that a cached one is never out of date. The page itself is asked for first.
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  if (request.mode === "navigate" && !request.url.includes(VERSION)) event.respondWith(fetch(request).catch(() => caches.match("./")));
  else event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
});
