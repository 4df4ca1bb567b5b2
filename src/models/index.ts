/** Loads every model and puts them on the open store. */
import './ApiKey.ts';
import './Attempt.ts';
import './Delivery.ts';
import './Event.ts';
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
