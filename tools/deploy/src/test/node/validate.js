// node validate.js OVERRIDES TEMPLATE... : a line of JSON for each template, with what is wrong.
// OVERRIDES is a JSON file with a value for each parameter, so that no branch is judged by an empty one.
"use strict";
const { readFileSync } = require("fs");
const { CelEngine, TemplateFile } = require("@aws/cloudformation-validate");

const [overrides, ...templates] = process.argv.slice(2);
const parameterOverrides = JSON.parse(readFileSync(overrides, "utf8"));
const engine = new CelEngine();
for (const template of templates) {
  const report = engine.validateStandard(new TemplateFile(template), {
    parameterOverrides,
    severityLevel: "WARN",
  });
  const found = report.diagnostics.map(
    (d) => `${d.ruleId} ${d.entity ? d.entity.logicalId : "-"} ${d.propertyPath || "-"}: ${d.message}`,
  );
  console.log(JSON.stringify({ template, status: report.status, found }));
}
engine.free();
