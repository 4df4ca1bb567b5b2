import { registry } from '../../src/kernel/metrics.ts';
import { until } from './until.ts';

/** As the runs of jobs are counted in /metrics. */
const RUNS = 'svc_job_runs_total';

/**
 * Waits until a job of the product in this process has run. Jobs may begin after the product is ready, and each that repeats runs
 * once at the start, whatever its pause.
 */
export async function untilRun(queue: string): Promise<void> {
  const hasRun = async () => {
    const values = (await registry.getSingleMetric(RUNS)?.get())?.values ?? [];
    return values.some(({ labels }) => labels.queue === queue);
  };
  await until(hasRun, `a run of ${queue}`, 120_000);
}
