import { debianServers } from '../support/alert-chain.ts';
import { blindScenarios, outageScenarios } from './chain-scenarios.ts';
import { chainTests } from './chain-tests.ts';

chainTests('what arrives', debianServers, [...blindScenarios, ...outageScenarios]);
