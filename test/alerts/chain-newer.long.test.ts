import type { ChainServers } from '../support/alert-chain.ts';
import { newerScenarios } from './chain-scenarios.ts';
import { chainTests } from './chain-tests.ts';

const newer: ChainServers = { prometheus: 'prometheus-3', alertmanager: 'alertmanager-0.31' };

chainTests('what arrives with newer servers', newer, newerScenarios);
