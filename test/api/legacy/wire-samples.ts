/**
 * Attributes that both versions have, as the legacy document lists them, and their decoded values.
 */

export const listEntry = {
  id: 85975,
  name: 'My check 1',
  type: 'http',
  lasterrortime: 1297446423,
  lasttesttime: 1300977363,
  lastresponsetime: 355,
  status: 'up',
  resolution: 1,
  hostname: 'example.com',
  created: 1240394682,
  tags: [{ name: 'apache', type: 'a', count: 2 }],
  ipv6: false,
};

export const listedCheck = {
  id: 85975,
  name: 'My check 1',
  type: 'http',
  status: 'up',
  hostname: 'example.com',
  ipv6: false,
  tags: [{ name: 'apache', source: 'auto' }],
  resolutionSeconds: 60,
  createdAtSeconds: 1240394682,
  lastTestAtSeconds: 1300977363,
  lastErrorAtSeconds: 1297446423,
  lastResponseTimeSeconds: 0.355,
};

export const detailEntry = {
  id: 85975,
  name: 'My check 7',
  resolution: 1,
  sendnotificationwhendown: 0,
  notifyagainevery: 0,
  notifywhenbackup: false,
  created: 1240394682,
  type: {
    http: {
      url: '/secret-path',
      encryption: true,
      port: 443,
      username: 'user',
      password: 'word',
      shouldcontain: '',
      postdata: 'a=b',
      requestheaders: { 'User-Agent': 'Bot/1.0', Cookie: ['a=1', 'b=2'] },
    },
  },
  hostname: 's7.example.com',
  ipv6: false,
  status: 'up',
  lasterrortime: 1293143467,
  lasttesttime: 1294064823,
  lastresponsetime: 21,
};

export const probe = {
  id: 27,
  country: 'United Kingdom',
  city: 'Manchester',
  name: 'Manchester, UK',
  active: true,
  hostname: 's424.example.com',
  ip: '192.0.2.27',
  countryiso: 'GB',
};

export const knownProbe = {
  id: 27,
  name: 'Manchester, UK',
  country: 'United Kingdom',
  countryIso: 'GB',
  city: 'Manchester',
  active: true,
};

export const sentAlert = {
  time: 1292248276,
  checkid: 241688,
  via: 'sms',
  status: 'delivered',
  messageshort: 'up',
  messagefull: 'Alert UP: Node2 (s7.example.com) is UP again.',
  sentto: '46555555555',
  charged: true,
};

export const sentAction = {
  atSeconds: 1292248276,
  checkId: 241688,
  via: 'sms',
  status: 'delivered',
};

export const basicCredits = {
  checklimit: 50,
  availablechecks: 12,
  availablesms: 152,
  availablesmstests: 150,
  autofillsms: false,
};
