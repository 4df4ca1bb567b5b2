import type { Project } from '../models/Project.ts';

/** Why clicks are not compared with a device, whatever they are; null: they are. */
export function whyOff(
  project: Pick<Project, 'probabilisticMatching'> | undefined,
  { platform }: { platform: string },
  consent: boolean,
): string | null {
  if (!consent) return 'no_consent';
  if (!project?.probabilisticMatching) return 'probabilistic_off';
  return platform === 'web' ? 'platform_web' : null;
}
