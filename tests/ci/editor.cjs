// node editor.cjs JOB.json: what VS Code's JSON service and Red Hat's YAML language server say of files under the user's settings.
// {settings, files, published: {address: path}} -> {file: [message]}
const fs = require("fs");
const json = require("vscode-json-languageservice");
const yaml = require("yaml-language-server");

const job = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const schemaRequestService = async (address) => fs.readFileSync(job.published[address], "utf8");
const workspaceContext = { resolveRelativePath: (path) => path };

function services() {
  const ofJson = json.getLanguageService({ schemaRequestService, workspaceContext });
  ofJson.configure({ validate: true, schemas: job.settings["json.schemas"].map(({ fileMatch, url }) => ({ fileMatch, uri: url })) });
  const telemetry = { send() {}, sendError() {}, sendTrack() {} };
  const ofYaml = yaml.getLanguageService({ schemaRequestService, workspaceContext, telemetry });
  const schemas = Object.entries(job.settings["yaml.schemas"]).map(([uri, fileMatch]) => ({ uri, fileMatch }));
  ofYaml.configure({ validate: true, schemas });
  return {
    json: (document) => ofJson.doValidation(document, ofJson.parseJSONDocument(document)),
    yaml: (document) => ofYaml.doValidation(document, false),
  };
}

async function main() {
  const found = {};
  const service = services();
  for (const file of job.files) {
    const language = file.endsWith(".json") ? "json" : "yaml";
    const document = json.TextDocument.create(`file://${file}`, language, 1, fs.readFileSync(file, "utf8"));
    found[file] = (await service[language](document)).map((problem) => problem.message);
  }
  console.log(JSON.stringify(found));
}

main();
