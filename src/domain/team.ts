/** A group of people who are told together (API 3.1, section 2.10). Its members are counted, not named. */
export interface Team {
  readonly id: number;
  readonly name: string;
  readonly memberCount?: number;
}
