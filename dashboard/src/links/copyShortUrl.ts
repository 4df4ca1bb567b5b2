import { copyText } from '../kernel/copyText.ts';
import { t } from '../texts/index.ts';
import { toast } from '../ui/toasts.ts';

/** Copies the short URL and says so; where the browser does not allow it, shows it to be copied by hand. */
export async function copyShortUrl({ shortUrl }: { shortUrl: string }): Promise<void> {
  toast((await copyText(shortUrl)) ? t.links.copied(shortUrl) : `${t.common.copyByHand} ${shortUrl}`);
}
