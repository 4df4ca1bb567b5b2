import { AdvancedSection } from './AdvancedSection.tsx';
import { AppSection } from './AppSection.tsx';
import { CampaignSection } from './CampaignSection.tsx';
import { DataSection } from './DataSection.tsx';
import { LimitsSection } from './LimitsSection.tsx';
import type { FieldsProps, SavedLink } from './LinkForm.tsx';
import { NameFields } from './NameFields.tsx';
import { RoutingSection } from './RoutingSection.tsx';
import { SocialSection } from './SocialSection.tsx';
import type { usePageMetadata } from './usePageMetadata.ts';

interface SectionsProps extends FieldsProps {
  page: ReturnType<typeof usePageMetadata>;
  saved: SavedLink | null;
}

/** Names and tags, then what few links have, each part closed until it is used. */
export function Sections({ page, saved, ...fields }: SectionsProps) {
  return (
    <>
      <NameFields {...fields} page={page} />
      <CampaignSection {...fields} />
      <RoutingSection {...fields} />
      <AppSection {...fields} />
      <SocialSection {...fields} page={page} />
      <LimitsSection {...fields} saved={saved} />
      <DataSection {...fields} />
      <AdvancedSection {...fields} />
    </>
  );
}
