import { whenIdle } from '../kernel/whenIdle.ts';
import { onDemand } from '../ui/onDemand.tsx';

/** The bell of the frame, which does not wait for it. The page asks first. */
export const Bell = onDemand(
  async () => {
    await whenIdle();
    return (await import('./Bell.tsx')).Bell;
  },
  { isOptional: true },
);
