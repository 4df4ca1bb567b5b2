import { Alert } from '@mantine/core';
import { GraphqlError } from '../kernel/GraphqlError.ts';
import { t } from '../texts/index.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Card, Page } from '../ui/Page.tsx';
import { Problems } from '../ui/Problems.tsx';
import styles from './apps.module.css';
import { ClickFields } from './simulator/ClickFields.tsx';
import { OpenFields } from './simulator/OpenFields.tsx';
import { OtherClicks } from './simulator/OtherClicks.tsx';
import { Presets } from './simulator/Presets.tsx';
import { Result } from './simulator/Result.tsx';
import { useSimulation } from './simulator/useSimulation.ts';

/** A click and an opening that somebody makes up, and what would be found for them. */
export function SimulatorPage() {
  const { sim } = t.apps;
  const { inputs, change, query, whyNot, isUnreadable } = useSimulation();
  const problems = problemsOf(query.error);
  const errorsAt = (root: string) => (field: string) => problems.get(`${root}.${field}`);
  return (
    <Page
      title={sim.title}
      about={sim.about}
      back="/apps"
      actions={<CopyButton text={location.href} what={sim.copyWhat} label={sim.copyLink} />}
    >
      {whyNot === null ? null : (
        <Alert color="yellow" variant="light">
          {whyNot}
        </Alert>
      )}
      {isUnreadable ? (
        <Alert color="yellow" variant="light" role="status">
          {sim.wrongAddress}
        </Alert>
      ) : null}
      <Presets inputs={inputs} onChoose={change} />
      <Problems messages={unplaced(problems)} />
      <div className={styles.cards}>
        <Card title={sim.click}>
          <ClickFields
            click={inputs.click}
            errorOf={errorsAt('input.click')}
            onChange={(click) => change({ ...inputs, click })}
          />
        </Card>
        <Card title={sim.opening}>
          <OpenFields
            inputs={inputs}
            errorOf={errorsAt('input.open')}
            visitorsError={problems.get('input.addressVisitors')}
            onChange={change}
          />
        </Card>
      </div>
      <OtherClicks
        clicks={inputs.otherClicks ?? []}
        errorOf={errorsAt('input.otherClicks')}
        onChange={(otherClicks) => change({ ...inputs, otherClicks })}
      />
      {whyNot === null ? <Result inputs={inputs} query={query} /> : null}
    </Page>
  );
}

function problemsOf(error: Error | null): Map<string, string> {
  return new Map(error instanceof GraphqlError ? error.fields.map(({ path, message }) => [path, message]) : []);
}

/** Where a problem has its field. */
const PLACES = /^input\.(click|open|otherClicks\.\d+)\.(\w+|screen\.\w+)$|^input\.addressVisitors$/;

function unplaced(problems: ReadonlyMap<string, string>): string[] {
  return [...problems].filter(([path]) => !PLACES.test(path)).map(([path, message]) => `${path}: ${message}`);
}
