// Which documents the server is told of.
import * as vscode from "vscode";
import { SCHEME } from "./texts";

export const LANGUAGES = ["json", "jsonc", "jsonl", "xml", "ncnn-param", "onnx"];
const PATTERN = "**/*.{json,jsonl,xml,txt,listing,glacier,events,param,onnxtxt,onnxtext,textproto,prototxt,pbtxt,names}";
const COMPANIONS = "**/{metadata.yaml,config.yml,config.yaml,frigate*.yml,frigate*.yaml,config_infer*.yml,config_infer*.yaml,*nvinfer*.yml,*nvinfer*.yaml,*gie*.yml,*gie*.yaml}";

export const SELECTOR = [
  { scheme: "file", pattern: PATTERN },
  { scheme: "file", pattern: COMPANIONS },
  { scheme: SCHEME },
  ...LANGUAGES.map((language) => ({ scheme: "untitled", language })),
];

export function isOurs(document: vscode.TextDocument): boolean {
  return vscode.languages.match(SELECTOR, document) > 0;
}
