import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { t } from '../texts/index.ts';
import { IconAlert, IconCheck, IconMinus } from '../ui/icons.ts';
import { dialogOnDemand } from '../ui/onDemand.tsx';
import { Card } from '../ui/Page.tsx';
import { StateChip } from '../ui/StateChip.tsx';
import type { Account } from './operations.ts';

const SetUpFactorDialog = dialogOnDemand(
  () => import('./SetUpFactorDialog.tsx').then(({ SetUpFactorDialog }) => SetUpFactorDialog),
  ({ isOpen }) => isOpen,
);
const NewCodesDialog = dialogOnDemand(
  () => import('./FactorDialogs.tsx').then(({ NewCodesDialog }) => NewCodesDialog),
  ({ isOpen }) => isOpen,
);
const TurnOffDialog = dialogOnDemand(
  () => import('./FactorDialogs.tsx').then(({ TurnOffDialog }) => TurnOffDialog),
  ({ isOpen }) => isOpen,
);

/** From this many recovery codes on, new ones should be made. */
const FEW_CODES = 3;

/** The authenticator app of the account, and the codes for the day on which it is lost. */
export function SecondFactorCard({ account: { email, secondFactor, recoveryCodesLeft } }: { account: Account }) {
  const [open, setOpen] = useState<'setUp' | 'codes' | 'off' | null>(null);
  const { factor } = t.account;
  const dialog = (name: typeof open) => ({ isOpen: open === name, email, onClose: () => setOpen(null) });
  const chip = secondFactor ? (
    <StateChip look={{ tone: 'good', icon: IconCheck }}>{factor.on}</StateChip>
  ) : (
    <StateChip look={{ tone: 'soft', icon: IconMinus }}>{factor.off}</StateChip>
  );
  return (
    <Card
      title={
        <Group gap="xs">
          {factor.title} {chip}
        </Group>
      }
      actions={
        secondFactor ? (
          <>
            <Button variant="default" onClick={() => setOpen('codes')}>
              {factor.newCodes}
            </Button>
            <Button variant="default" onClick={() => setOpen('off')}>
              {factor.turnOff}
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={() => setOpen('setUp')}>
            {factor.turnOn}
          </Button>
        )
      }
    >
      {secondFactor ? (
        <Stack gap="xs">
          <div>{factor.onAbout}</div>
          {recoveryCodesLeft > FEW_CODES ? (
            <div>{factor.left(recoveryCodesLeft)}</div>
          ) : (
            <Alert color="yellow" variant="light" icon={<IconAlert size={18} />} title={factor.left(recoveryCodesLeft)}>
              {factor.fewLeft}
            </Alert>
          )}
        </Stack>
      ) : (
        factor.offAbout
      )}
      <SetUpFactorDialog {...dialog('setUp')} />
      <NewCodesDialog {...dialog('codes')} />
      <TurnOffDialog {...dialog('off')} />
    </Card>
  );
}
