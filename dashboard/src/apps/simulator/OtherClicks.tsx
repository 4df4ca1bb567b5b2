import { Button, Stack } from '@mantine/core';
import { t } from '../../texts/index.ts';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { Card } from '../../ui/Page.tsx';
import styles from '../apps.module.css';
import { ClickFields } from './ClickFields.tsx';
import { type ClickInput, MOST_OTHERS } from './inputs.ts';
import { OTHER_CLICK } from './presets.ts';

interface OtherClicksProps {
  clicks: readonly ClickInput[];
  /** What is wrong with a field, by the number of the click and its name. */
  errorOf: (path: string) => string | undefined;
  onChange: (clicks: ClickInput[]) => void;
}

/** Further clicks of the same time. */
export function OtherClicks({ clicks, errorOf, onChange }: OtherClicksProps) {
  const { sim } = t.apps;
  return (
    <Card
      title={sim.otherClicks}
      actions={
        clicks.length < MOST_OTHERS ? (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => onChange([...clicks, OTHER_CLICK])}
          >
            {sim.addClick}
          </Button>
        ) : null
      }
    >
      {clicks.length === 0 ? <div className={styles.soft}>{sim.otherAbout}</div> : null}
      <div className={styles.cards}>
        {clicks.map((click, index) => (
          <fieldset key={index}>
            <legend>{sim.otherClick(index + 1)}</legend>
            <Stack mt="xs">
              <ClickFields
                click={click}
                errorOf={(field) => errorOf(`${index}.${field}`)}
                onChange={(changed) => onChange(clicks.map((one, at) => (at === index ? changed : one)))}
              />
              <div>
                <Button
                  variant="subtle"
                  color="red"
                  leftSection={<IconTrash size={16} />}
                  aria-label={sim.removeClick(index + 1)}
                  onClick={() => onChange(clicks.filter((_, at) => at !== index))}
                >
                  {t.common.delete}
                </Button>
              </div>
            </Stack>
          </fieldset>
        ))}
      </div>
    </Card>
  );
}
