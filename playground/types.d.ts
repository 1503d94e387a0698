// What build.py writes above sw.js.
declare const VERSION: string;
declare const FILES: string[];
