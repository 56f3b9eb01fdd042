import { type ChainServers, debianServers } from '../support/alert-chain.ts';
import { newerScenarios, restartScenario } from './chain-scenarios.ts';
import { chainTests } from './chain-tests.ts';

const newer: ChainServers = { prometheus: 'prometheus-3', alertmanager: 'alertmanager-0.31' };

chainTests('what arrives when the servers restart', debianServers, [restartScenario]);
chainTests('what arrives with newer servers', newer, newerScenarios);
