import { debianServers } from '../support/alert-chain.ts';
import { replicaScenarios } from './chain-scenarios.ts';
import { chainTests } from './chain-tests.ts';

chainTests('what arrives when another replica takes an account', debianServers, replicaScenarios);
