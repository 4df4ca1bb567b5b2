import type { FrameTexts, PageLoaders } from '../Texts.ts';
import { common } from './common.ts';
import { linkTexts } from './link.ts';
import { linksTexts } from './links.ts';
import { shell } from './shell.ts';
import { states } from './states.ts';

/**
 * Japanese. Sentences end in です・ます; labels and buttons are nouns or short verbs (「リンクを作成」).
 * Quotes are 「…」, punctuation is full width, and a half-width space stands between Latin letters or digits and
 * Japanese (「API キー」, 「7 日間」), but not beside full-width punctuation.
 *
 * - short link 短縮リンク, short URL 短縮 URL, destination 遷移先 (field: 遷移先 URL), slug スラッグ, go to 移動, redirect リダイレクト
 * - unknown link 存在しないリンク, blocked ブロック中, expired 期限切れ, scheduled 予約済み, archive アーカイブ, unarchive アーカイブ解除
 * - expires 有効期限, starts 開始日時, click limit クリック上限
 * - click クリック, visitor 訪問者, person 人間, bot ボット, link scanner リンクスキャナー, prefetch プリフェッチ
 * - analytics 分析, referrer 参照元, platform and system OS, device デバイス, UTM term キーワード
 * - rule ルール, routing ルーティング, split 振り分け, social card SNS カード, custom data カスタムデータ
 * - attribution アトリビューション, match マッチング, deep link ディープリンク, install インストール, open (of an app) 起動
 * - webhook Webhook, endpoint エンドポイント (the sample program: レシーバー), delivery 配信, attempt 試行, resend 再送信, replay リプレイ, payload ペイロード
 * - signature 署名, signing secret 署名シークレット, rotate ローテーション; on 有効, off 無効, held 保留中
 * - sign in ログイン, sign out ログアウト, second factor 二段階認証, recovery code リカバリーコード, API key API キー
 * - publishable key 公開可能キー, secret key シークレットキー, roll ローテーション, revoke 取り消し, a key ends 失効, keep 維持
 * - certain 確実, likely 推定, points 点, app version バージョン, fingerprint フィンガープリント, restore 復元, gone for good 完全に削除
 * - remove (a member) チームから外す, leave 脱退; acknowledge 確認済みにする, resolve 解決済みにする, health ヘルス, check チェック
 * - operator 運用者, owner オーナー, admin 管理者, member メンバー, viewer 閲覧者, role ロール, team チーム
 * - status ステータス, filter フィルター, tag タグ, scope 対象範囲, audit log 監査ログ, survival mode サバイバルモード
 * - cancel キャンセル, but of an import or upload 中止; waiting 待機中, failed 失敗, finished 完了; store (a secret) 保管, save 保存
 */
export const texts: FrameTexts = {
  common,
  link: linkTexts,
  links: linksTexts,
  shell,
  states,
};

export const pages: PageLoaders = {
  account: () => import('./pages/account.ts'),
  analytics: () => import('./pages/analytics.ts'),
  api: () => import('./pages/api.ts'),
  apps: () => import('./pages/apps.ts'),
  audit: () => import('./pages/audit.ts'),
  domains: () => import('./pages/domains.ts'),
  entrance: () => import('./pages/entrance.ts'),
  overview: () => import('./pages/overview.ts'),
  settings: () => import('./pages/settings.ts'),
  team: () => import('./pages/team.ts'),
  builder: () => import('./pages/builder.ts'),
  linkParts: () => import('./pages/linkParts.ts'),
  imports: () => import('./pages/imports.ts'),
  managed: () => import('./pages/managed.ts'),
  webhooks: () => import('./pages/webhooks.ts'),
  watch: () => import('./pages/watch.ts'),
};
