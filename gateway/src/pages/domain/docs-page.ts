import type { ApiDescription, Body, Example, Operation, Schema } from '../../domain/api-description.js';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #2563eb; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 6rem; }
h1 { margin-bottom: 0; } h2 { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1.5rem; }
h3 { margin: 1.5rem 0 .5rem; } a { color: var(--accent); }
code, pre { font: .875em/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: .1em .3em; } pre { padding: .8rem 1rem; overflow-x: auto; } pre code { background: none; padding: 0; }
table { border-collapse: collapse; width: 100%; } td, th { border: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .4rem .8rem; } summary { cursor: pointer; }
.verb { background: var(--accent); border-radius: 4px; color: #fff; font-size: .8em; padding: .15em .5em; }
.wide { overflow-x: auto; }`;

/**
 * A page for people, made from the OpenAPI document: endpoints with their fields, answers and examples. It contains its
 * own style, runs no script and loads nothing.
 */
export function renderDocsPage(api: ApiDescription): string {
  const operations = Object.entries(api.paths);
  const links = operations.map(
    ([path, { post }]) =>
      `<li><a href="#${post.operationId}">${escape(path)}</a> – ${escape(post.summary)}</li>`,
  );
  const schemas = Object.entries(api.components.schemas);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(api.info.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escape(api.info.title)}</h1>
<p>Version ${escape(api.info.version)} · <a href="/v1/openapi.json">OpenAPI document</a></p>
${prose(api.info.description)}
<ul>${links.join('\n')}</ul>
${operations.map(([path, { post }]) => renderOperation(api, path, post)).join('\n')}
<h2 id="objects">Objects</h2>
${schemas.map(([name, schema]) => renderSchema(name, schema)).join('\n')}
</body>
</html>
`;
}

function renderOperation(api: ApiDescription, path: string, operation: Operation): string {
  const request = resolve(operation.requestBody, api.components.requestBodies);
  const answers = Object.entries(operation.responses).map(([status, given]) => {
    const body = resolve(given, api.components.responses);
    return `<details><summary><strong>${status}</strong> ${escape(body.description ?? '')}</summary>
${typeOfBody(body)}${renderExamples(api, body)}</details>`;
  });
  return `<h2 id="${operation.operationId}"><span class="verb">POST</span> <code>/v1${escape(path)}</code></h2>
<p><strong>${escape(operation.summary)}</strong></p>
${prose(operation.description)}
<h3>Request</h3>
${typeOfBody(request)}${renderExamples(api, request)}
<h3>Answers</h3>
${answers.join('\n')}`;
}

function typeOfBody(body: Body): string {
  const schema = body.content?.['application/json'].schema;
  return schema === undefined ? '' : `<p>${typeOf(schema)}</p>`;
}

function renderExamples(api: ApiDescription, body: Body): string {
  const examples = Object.values(body.content?.['application/json'].examples ?? {});
  return examples
    .map((given) => resolve<Example>(given, api.components.examples))
    .map(
      ({ summary, value }) =>
        `<p>${escape(summary ?? '')}</p><pre><code>${escape(JSON.stringify(value, null, 2))}</code></pre>`,
    )
    .join('\n');
}

function renderSchema(name: string, schema: Schema): string {
  const heading = `<h3 id="${name}">${name}</h3>${prose(schema.description ?? '')}`;
  if (schema.properties === undefined) return `${heading}<p>${typeOf({ ...schema, description: '' })}</p>`;
  return `${heading}<div class="wide"><table><tr><th>Field</th><th>Type</th><th>Required</th><th>Notes</th></tr>${renderRows(schema).join('')}</table></div>`;
}

/** A row for each field. The fields of an inner object follow it, with its name as a prefix. */
function renderRows(schema: Schema, prefix = ''): string[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([field, property]) => [
    `<tr><td><code>${prefix}${field}</code></td><td>${typeOf(property)}</td><td>${required.has(field) ? 'yes' : 'no'}</td><td>${prose(property.description ?? '')}</td></tr>`,
    ...renderRows(property, `${prefix}${field}.`),
  ]);
}

/** A schema in a few words, with links to other objects. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = lastSegment(schema.$ref);
    return `<a href="#${name}">${name}</a>`;
  }
  if (schema.oneOf !== undefined) return schema.oneOf.map(typeOf).join(' or ');
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`;
  if (schema.const !== undefined) return `<code>${escape(JSON.stringify(schema.const))}</code>`;
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${escape(String(value))}</code>`).join(', ');
  const parts = [[schema.type ?? 'object'].flat().join(' or '), schema.format, boundsOf(schema)];
  return escape(parts.filter((part) => part !== undefined && part !== '').join(', '));
}

function boundsOf(schema: Schema): string {
  const bounds: string[] = [];
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    bounds.push(`${schema.minLength ?? 0}..${schema.maxLength ?? '∞'} characters`);
  }
  if (schema.minimum !== undefined || schema.maximum !== undefined) {
    bounds.push(`${schema.minimum ?? '−∞'}..${schema.maximum ?? '∞'}`);
  }
  if (schema.pattern !== undefined) bounds.push(`matches ${schema.pattern}`);
  return bounds.join(', ');
}

function resolve<T extends { readonly $ref?: string }>(given: T, shared: Readonly<Record<string, T>>): T {
  return given.$ref === undefined ? given : (shared[lastSegment(given.$ref)] ?? given);
}

function lastSegment(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** Renders the Markdown of the document: paragraphs, lists, code and strong text. */
function prose(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .filter((block) => block !== '')
    .map(renderBlock)
    .join('\n');
}

function renderBlock(block: string): string {
  const items = block.split(/\n(?=(?:- |\d+\. ))/).map((item) => item.replace(/^(?:- |\d+\. )/, ''));
  const isList = /^(?:- |\d+\. )/.test(block);
  if (!isList) return `<p>${inline(block)}</p>`;
  const tag = block.startsWith('- ') ? 'ul' : 'ol';
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>`;
}

function inline(text: string): string {
  return escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
