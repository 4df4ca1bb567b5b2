import { Link } from '@tanstack/react-router';
import { t } from '../texts/index.ts';
import { IconChevronLeft } from '../ui/icons.ts';
import styles from './imports.module.css';

export function BackToImports() {
  return (
    <Link to="/imports" className={styles.back}>
      <IconChevronLeft size={16} aria-hidden />
      {t.imports.back}
    </Link>
  );
}
