import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { nameOf, type Fault, type Manifest } from './manifests.js';

/** Modules of the types of objects, by apiVersion. */
const MODULES: Readonly<Record<string, string>> = {
  v1: 'kubernetes-types/core/v1',
  'apps/v1': 'kubernetes-types/apps/v1',
  'autoscaling/v2': 'kubernetes-types/autoscaling/v2',
  'batch/v1': 'kubernetes-types/batch/v1',
  'networking.k8s.io/v1': 'kubernetes-types/networking/v1',
  'policy/v1': 'kubernetes-types/policy/v1',
  'argoproj.io/v1alpha1': './foreign/argo-rollouts.js',
  'cert-manager.io/v1': './foreign/certificate.js',
  'external-secrets.io/v1': './foreign/external-secrets.js',
  'gateway.networking.k8s.io/v1': './foreign/gateway-api.js',
  'keda.sh/v1alpha1': './foreign/keda.js',
};

const OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es5.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/**
 * Faults of objects against the types of Kubernetes 1.30: unknown fields, missing required fields, wrong types. Each object
 * becomes a typed literal on its own line, which the TypeScript compiler checks.
 */
export function schemaFaults(manifests: readonly Manifest[]): readonly Fault[] {
  const unknown = manifests.filter(({ apiVersion }) => MODULES[apiVersion] === undefined);
  const known = manifests.filter(({ apiVersion }) => MODULES[apiVersion] !== undefined);
  const file = path.join(path.dirname(fileURLToPath(import.meta.url)), 'rendered-manifests.ts');
  const text = known.map(literalOf).join('\n');
  const host = ts.createCompilerHost(OPTIONS);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, options) =>
    name === file ? ts.createSourceFile(name, text, options) : readSource(name, options);
  const program = ts.createProgram([file], OPTIONS, host);
  const faults = ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').replace(/\s+/g, ' ');
    if (diagnostic.file?.fileName !== file) return message;
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    const manifest = known[line];
    return manifest === undefined ? message : `${manifest.kind} ${nameOf(manifest)}: ${message}`;
  });
  return [
    ...unknown.map((one) => `${one.kind} ${nameOf(one)}: apiVersion ${one.apiVersion} is not known`),
    ...faults,
  ];
}

function literalOf(manifest: Manifest, index: number): string {
  const module = MODULES[manifest.apiVersion] ?? '';
  return `export const m${index}: import('${module}').${manifest.kind} = ${JSON.stringify(manifest)};`;
}
