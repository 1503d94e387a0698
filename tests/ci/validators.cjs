// node validators.cjs JOBS.json: what ajv and VS Code's JSON service say of files. [{schema, files}] -> {ajv: {file: ok}, vscode: {file: ok}}
const fs = require("fs");
const Ajv = require("ajv");
const Ajv2020 = require("ajv/dist/2020");
const { getLanguageService, TextDocument } = require("vscode-json-languageservice");

async function main() {
  const found = { ajv: {}, vscode: {} };
  for (const { schema, files } of JSON.parse(fs.readFileSync(process.argv[2], "utf8"))) {
    const text = fs.readFileSync(schema, "utf8");
    const content = JSON.parse(text);
    const ajv = new (content.$schema.includes("2020-12") ? Ajv2020 : Ajv)({ logger: false });
    const validate = ajv.compile(content);
    const service = getLanguageService({});
    for (const file of files) {
      const source = fs.readFileSync(file, "utf8");
      found.ajv[file] = validate(JSON.parse(source));
      const document = TextDocument.create("file:///model.json", "json", 1, source);
      const problems = await service.doValidation(document, service.parseJSONDocument(document), { validate: true, schemaValidation: "error" }, content);
      found.vscode[file] = problems.every((problem) => problem.severity !== 1);
    }
  }
  console.log(JSON.stringify(found));
}

main();
