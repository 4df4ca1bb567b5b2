import { useState } from 'react';
import { t } from '../../texts/index.ts';
import { onDemand } from '../../ui/onDemand.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import type { FieldsProps } from './LinkForm.tsx';
import { Section } from './Section.tsx';

const RoutingFields = onDemand(() => import('./RoutingFields.tsx').then(({ RoutingFields }) => RoutingFields), {
  fallback: <LoadingRows rows={2} />,
});

/** Rules and split, loaded when somebody opens them: most links have neither. */
export function RoutingSection(props: FieldsProps) {
  const { routing } = props.draft;
  const [isOpen, setIsOpen] = useState(false);
  const words = [
    routing.rules.length > 0 ? t.linkParts.rules.count(routing.rules.length) : null,
    routing.split.length > 0 ? t.linkParts.split.count(routing.split.length) : null,
  ].filter((word) => word !== null);
  const hasProblem = props.hasProblem('routing.rules', 'routing.split');
  return (
    <Section
      title={t.linkParts.sections.routing}
      summary={words.length > 0 ? words.join(' · ') : null}
      hasProblem={hasProblem}
      onOpen={() => setIsOpen(true)}
    >
      {isOpen || hasProblem ? <RoutingFields {...props} /> : null}
    </Section>
  );
}
