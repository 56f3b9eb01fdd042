import { answeredAt, type ScrapedSandbox } from './scraped-sandbox.ts';
import { ServiceNow } from './service-now.ts';

/** The truth when the service sent the lists that Prometheus has, and now. */
export function serviceNow(scraped: ScrapedSandbox): ServiceNow {
  const lists = {
    check: answeredAt(scraped, 'list_checks'),
    transaction: answeredAt(scraped, 'list_transactions'),
  };
  return new ServiceNow(scraped.sandbox, lists, Math.floor(scraped.clock.now() / 1000));
}
