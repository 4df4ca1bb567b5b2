/** Loads every model and puts them on the open store. */
import './Alert.ts';
import './ApiKey.ts';
import './Attempt.ts';
import './Delivery.ts';
import './Domain.ts';
import './Event.ts';
import './IdempotencyRecord.ts';
import './Import.ts';
import './ImportChunk.ts';
import './Install.ts';
import './Link.ts';
import './LinkTag.ts';
import './Membership.ts';
import './Project.ts';
import './Session.ts';
import './Tag.ts';
import './Team.ts';
import './User.ts';
import './Webhook.ts';

export { connectModels } from './define.ts';
