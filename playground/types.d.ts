// What build.py writes above sw.js.
declare const VERSION: string;
declare const FILES: string[];

// What build.py tells worker.js: how many bytes it loads.
declare const SIZES: { python: number; irlint: number };
