import type { Metric, Registry } from 'prom-client';

/** Upper bounds of the histograms of durations, in seconds. */
export const DURATION_BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

/** Records a duration in milliseconds under an outcome. */
export type Observe = (outcome: string, ms: number) => void;

/** Name and help text of a histogram. */
export interface DurationsOptions {
  readonly name: string;
  readonly help: string;
  readonly registry: Registry;
}

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * A histogram of durations in the format of prom-client, with the label `outcome` besides the labels of each series.
 * The histogram of prom-client looks up its labels at each observation, which takes longer than many calls. Here the
 * look-up happens once per outcome.
 */
export class Durations {
  readonly #options: DurationsOptions;
  readonly #series: Series[] = [];

  constructor(options: DurationsOptions) {
    this.#options = options;
    const { name, help } = options;
    const metric = {
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      reset: () => this.#series.forEach((each) => each.reset()),
      get: () =>
        Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values: this.#samples() }),
    };
    // Its type requires the classes of prom-client. A registry uses only these members.
    options.registry.registerMetric(metric as unknown as Metric);
  }

  /** A recorder for these labels. A series exists from its first duration on. */
  of(labels: Readonly<Record<string, string>>): Observe {
    const byOutcome = new Map<string, Series>();
    return (outcome, ms) => {
      let series = byOutcome.get(outcome);
      if (series === undefined) {
        series = new Series({ ...labels, outcome });
        byOutcome.set(outcome, series);
        this.#series.push(series);
      }
      series.observe(ms / 1_000);
    };
  }

  #samples(): readonly Sample[] {
    return this.#series.flatMap((each) => each.samples(this.#options.name));
  }
}

class Series {
  readonly #labels: Readonly<Record<string, string>>;
  readonly #counts = new Array<number>(DURATION_BUCKETS.length + 1).fill(0);
  #sum = 0;

  constructor(labels: Readonly<Record<string, string>>) {
    this.#labels = labels;
  }

  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < DURATION_BUCKETS.length && seconds > (DURATION_BUCKETS[bucket] as number)) bucket += 1;
    (this.#counts[bucket] as number) += 1;
    this.#sum += seconds;
  }

  reset(): void {
    this.#counts.fill(0);
    this.#sum = 0;
  }

  samples(name: string): readonly Sample[] {
    let count = 0;
    const buckets = this.#counts.map((each, bucket) => {
      count += each;
      const le = DURATION_BUCKETS[bucket] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { le, ...this.#labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.#labels, value: this.#sum },
      { metricName: `${name}_count`, labels: this.#labels, value: count },
    ];
  }
}
