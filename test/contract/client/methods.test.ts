// stores: each
import { expect } from 'chai';
import { TEXT_EXAMPLES } from '../../../facade/openapi/examples.ts';
import { compileRoutes, type CompiledRoute } from '../../../facade/route.ts';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { Svc, type SvcAnswer } from '../../../sdk/client/index.ts';
import { bodyOf, makeThings, pathOf, type Things } from '../../support/operations.ts';
import { makeTenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const routes = compileRoutes(buildGraphqlSchema()).filter(({ on }) => on.name === 'rest');
console.log(routes.length);
