import { runPromtool } from './promtool.js';
import type { Recording } from './recording.js';
import { replaySeries, replayTimes, type Stretch } from './replay.js';
import { namesIn, ruleFile, rulesOf } from './rules.js';

/** An alert, and the outage that must raise it. */
export interface AlertCase {
  readonly alert: string;
  /** Name of the recording. */
  readonly outage: string;
  /** Labels that the alert must have; default: any. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The healthy time before; default: an hour. */
  readonly beforeSeconds?: number;
  /** When the alert must be firing, in seconds after the begin of the outage. */
  readonly withinSeconds: number;
  /** Default: Prometheus's 15 seconds; more where the windows of the rule are days. */
  readonly stepSeconds?: number;
}

const BEFORE_SECONDS = 3_600;
const STEP_SECONDS = 15;
const EVALUATION_SECONDS = 30;

/**
 * Replays the recording to the alert's rules with Prometheus's own evaluation. Null: the alert is not firing while the
 * product is healthy, and is firing in the outage. Otherwise promtool's complaint.
 */
export function firesIn(recording: Recording, test: AlertCase): Promise<string | null> {
  const rules = rulesOf(test.alert);
  const names = new Set(rules.flatMap(({ expr }) => namesIn(expr)));
  const stretch: Stretch = {
    beforeSeconds: test.beforeSeconds ?? BEFORE_SECONDS,
    duringSeconds: test.withinSeconds,
    stepSeconds: test.stepSeconds ?? STEP_SECONDS,
  };
  const keys = [...recording.series.keys()].filter((key) => names.has(key.slice(0, key.indexOf('{'))));
  const matchers = Object.entries({ alertname: test.alert, alertstate: 'firing', ...test.labels });
  const selector = `ALERTS{${matchers.map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(', ')}}`;
  const expr = `count(${selector}) > bool 0`;
  const { brokenAt, endAt } = replayTimes(stretch);
  const file = {
    rule_files: ['rules.yaml'],
    evaluation_interval: `${Math.max(EVALUATION_SECONDS, stretch.stepSeconds)}s`,
    tests: [
      {
        interval: `${stretch.stepSeconds}s`,
        input_series: keys.map((series) => ({
          series,
          values: notation(replaySeries(recording, series, stretch)),
        })),
        promql_expr_test: [
          { expr, eval_time: `${brokenAt}s`, exp_samples: [] },
          { expr, eval_time: `${endAt}s`, exp_samples: [{ labels: '{}', value: 1 }] },
        ],
      },
    ],
  };
  return runPromtool('test', { 'test.yaml': JSON.stringify(file), 'rules.yaml': ruleFile(rules) });
}

/** Samples in promtool's notation: `1x2` is three times 1, `_x2` twice none. */
function notation(samples: readonly (number | null)[]): string {
  const runs: { readonly text: string; times: number }[] = [];
  for (const sample of samples) {
    const text = sample === null ? '_' : String(sample);
    const last = runs.at(-1);
    if (last?.text === text) last.times += 1;
    else runs.push({ text, times: 1 });
  }
  return runs
    .map(({ text, times }) => (times === 1 ? text : `${text}x${text === '_' ? times : times - 1}`))
    .join(' ');
}
