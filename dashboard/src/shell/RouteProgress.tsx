import { type Query, useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import styles from './RouteProgress.module.css';

/** Not what is asked again every few seconds: that would keep the bar on the page for ever. */
const isFirst = ({ state }: Query) => state.status === 'pending';

/** A thin bar while the code of a page, or data that it does not show yet, is on its way. */
export function RouteProgress() {
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' });
  const asked = useIsFetching({ predicate: isFirst });
  return <div className={styles.bar} data-pending={isLoading || asked > 0 || undefined} aria-hidden />;
}
