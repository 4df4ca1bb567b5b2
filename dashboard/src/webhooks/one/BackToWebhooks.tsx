import { Link } from '@tanstack/react-router';
import { t } from '../../texts/index.ts';
import { IconChevronLeft } from '../../ui/icons.ts';
import styles from './one.module.css';

export function BackToWebhooks() {
  return (
    <Link to="/webhooks" className={styles.back}>
      <IconChevronLeft size={16} aria-hidden />
      {t.webhooks.back}
    </Link>
  );
}
