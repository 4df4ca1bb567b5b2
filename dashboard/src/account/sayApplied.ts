import { t } from '../texts/index.ts';
import { toast } from '../ui/toasts.ts';

/** A choice of the look took effect, and this browser keeps it. */
export const sayApplied = () => toast(t.account.look.applied);
