import { Group, Progress, Stack } from '@mantine/core';
import { graphql, type ResultOf } from '../../kernel/graphql.ts';
import { formatExact } from '../../kernel/numbers.ts';
import { useAsk } from '../../kernel/queries.ts';
import type { Team } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { Time } from '../../ui/Time.tsx';

const LIMITS = graphql(`
  query TeamLimits($id: ID!) {
    team(id: $id) {
      limits {
        linksThisHour {
          used
          limit
          easesAt
        }
        linksToday {
          used
          limit
          easesAt
        }
      }
    }
  }
`);

type Limits = NonNullable<ResultOf<typeof LIMITS>['team']['limits']>;

/** How much a new team may still create. Nothing for others, for which there is no such limit. */
export function LimitsCard({ team }: { team: Team }) {
  const { limits: texts } = t.team;
  const { data } = useAsk({ about: 'team', document: LIMITS, variables: { id: team.id } });
  const limits = data?.team.limits;
  if (!limits) return null;
  return (
    <Card title={texts.title}>
      <Stack>
        <div>{texts.about}</div>
        <Quota name={texts.hour} quota={limits.linksThisHour} />
        <Quota name={texts.day} quota={limits.linksToday} />
      </Stack>
    </Card>
  );
}

function Quota({ name, quota: { used, limit, easesAt } }: { name: string; quota: Limits['linksToday'] }) {
  const { limits: texts } = t.team;
  const share = (100 * used) / Math.max(limit, 1);
  return (
    <Stack gap={4} maw={480}>
      <Group justify="space-between" gap={8}>
        <span>{name}</span>
        <span className="tabular">{texts.used(formatExact(used), formatExact(limit))}</span>
      </Group>
      <Progress value={share} color={used >= limit ? 'red' : 'blue'} aria-label={name} />
      {used >= limit && easesAt !== null ? (
        <small>
          {texts.eases} <Time at={easesAt} />
        </small>
      ) : null}
    </Stack>
  );
}
