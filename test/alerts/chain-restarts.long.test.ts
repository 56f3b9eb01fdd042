import { debianServers } from '../support/alert-chain.ts';
import { restartScenario } from './chain-scenarios.ts';
import { chainTests } from './chain-tests.ts';

chainTests('what arrives when the servers restart', debianServers, [restartScenario]);
