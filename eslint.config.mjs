import eslint from '@eslint/js';
import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';
import { SERVICES } from './deploy/images/contents.mjs';

const OF_SERVICES = `{${SERVICES.join(',')}}`;
const TESTS = ['**/*.test.ts', '**/test/**/*.ts', 'tests/**/*.ts'];
const FUNCTION_LINES_MAX = 70;

/** ESLint's own limit. The body of a `describe` is a list of tests, so that only its tests count. */
const functionLength = builtinRules.get('max-lines-per-function');
const house = {
  rules: {
    'max-lines-per-function': {
      ...functionLength,
      create: (context) => {
        const report = (found) => isDescribeBody(found.node) || context.report(found);
        return functionLength.create(Object.create(context, { report: { value: report } }));
      },
    },
  },
};

function isDescribeBody(node) {
  if (isDescribe(node.parent)) return true;
  // A function whose only statement is a `describe`: a suite that several implementations share.
  const statements = node.body.type === 'BlockStatement' ? node.body.body : [];
  return statements.length === 1 && isDescribe(statements[0].expression);
}

function isDescribe(node) {
  if (node?.type !== 'CallExpression') return false;
  const callee = node.callee.type === 'MemberExpression' ? node.callee.object : node.callee;
  return callee.name === 'describe';
}

/** A variable that hides a global of Node.js; the reader takes one for the other. */
const NO_SHADOWS = {
  selector:
    'VariableDeclarator[id.name=/^(console|crypto|fetch|global|performance|process|queueMicrotask)$/]',
  message: 'Give it another name: this one hides a global of Node.js.',
};
/** A spread that only saves a line, or whose fields are not all named where they are set. Docs: docs/grammar.md. */
const NO_SAVED_LINES = {
  selector:
    "ObjectExpression > SpreadElement[argument.type='ObjectExpression'], ObjectExpression > SpreadElement[argument.operator='&&']",
  message: 'Write the fields one by one; an optional field is `x: y ?? undefined`.',
};
const IMPURE = [
  {
    selector: ':function[async=true], AwaitExpression',
    message: 'The domain is synchronous; pass the result in as an argument.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'The domain has no clock; pass the instant in as an argument.',
  },
];
const IMPURE_GLOBALS =
  'process performance setTimeout setInterval setImmediate queueMicrotask fetch crypto console';
/** What a use case needs of service-kit at run time: the one error type. */
const KIT_OF_USECASES = {
  selector:
    "ImportDeclaration[importKind!='type'][source.value=/^@placard.service-kit(?!.(pure|background)$)/] > " +
    'ImportSpecifier[importKind!="type"]:not([imported.name=/^(AppError|appError|toAppError|messageOf)$/])',
  message: 'A use case imports only errors and types of service-kit; take the rest as a dependency.',
};
/** A use case may bound and share its work; what runs in the background is opened by app.ts. */
const BACKGROUND_OF_USECASES = {
  selector:
    "ImportDeclaration[importKind!='type'][source.value='@placard/service-kit/background'] > " +
    'ImportSpecifier[importKind!="type"]:not([imported.name=/^(makeBoundedMap|makeNumberedBatches|makeSingleFlight)$/])',
  message:
    'Periodic work and outboxes are opened in app.ts or open-….ts; take what they run as a dependency.',
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      'protos/gen/**',
      'console-service/gen/**',
      '.data/**',
      '**/.data/**',
      '.stryker-tmp/**',
    ],
  },
  eslint.configs.recommended,
  {
    plugins: { house },
    rules: {
      'max-lines': ['error', 400],
      'house/max-lines-per-function': ['error', FUNCTION_LINES_MAX],
      complexity: ['error', 20],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'anywhere' }],
    },
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } },
      ],
      'no-restricted-syntax': ['error', NO_SHADOWS, NO_SAVED_LINES],
    },
  },
  {
    // Declarations say what others export.
    files: ['**/*.d.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: [`${OF_SERVICES}/src/{main,worker,migrate}.ts`],
    rules: { 'max-lines': ['error', 20] },
  },
  {
    files: [`${OF_SERVICES}/src/**/*.ts`],
    // It watches the pace of one answer.
    ignores: [...TESTS, 'gateway/src/proxy/middleware/forward.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'setInterval', message: 'Use `keepRunning` of @placard/service-kit/background.' },
      ],
    },
  },
  {
    // Pure decisions: no clock, randomness, I/O or waiting; these are arguments.
    files: [`${OF_SERVICES}/src/{,*/}domain/**/*.ts`],
    ignores: TESTS,
    rules: {
      'no-restricted-syntax': ['error', NO_SHADOWS, NO_SAVED_LINES, ...IMPURE],
      'no-restricted-globals': ['error', ...IMPURE_GLOBALS.split(' ')],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now' },
        { object: 'Math', property: 'random' },
      ],
    },
  },
  {
    files: [`${OF_SERVICES}/src/{,*/}usecase/**/*.ts`],
    ignores: TESTS,
    rules: {
      'no-restricted-syntax': ['error', NO_SHADOWS, NO_SAVED_LINES, KIT_OF_USECASES, BACKGROUND_OF_USECASES],
    },
  },
  {
    // chai's assertions are properties, and mocha's tests are promises that mocha awaits.
    files: TESTS,
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // A test beside its file needs no store: docs in CONTRIBUTING.md.
    files: ['**/src/**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        NO_SHADOWS,
        NO_SAVED_LINES,
        {
          selector: 'Literal[value=/^TEST_(DATABASE|REDIS)_URL$/]',
          message: 'A test under src/ needs no store; move it to test/.',
        },
      ],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        Buffer: 'readonly',
        fetch: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
      },
    },
  },
);
