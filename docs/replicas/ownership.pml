/*
 * Who owns an account that several replicas could serve: lease, fence, commits of unknown outcome, hand-over.
 * model.md says what is checked, what is assumed, and which faults can be planted.
 *
 * Two replicas, and a database with a synchronous standby: an operation changes the primary, and its reply leaves only when the
 * standby has the change. Time passes in ticks. A replica may stop, sleep or be killed after each of its steps, a connection
 * may be cut at each of the database's; FAILURES limits how often.
 */
#define TTL 3
#define MARGIN 1
#define TRUST (TTL - MARGIN)
#ifdef TAKE_WITHOUT_WAITING
#define WAIT 0
#else
#define WAIT (TTL + MARGIN)
#endif
#define NOBODY 2
#define GONE 3  /* a connection that its client has given up */

/* TOKENS bounds the takes, renewals and commits of a run together. */
#ifdef PROGRESS
#define isLeft true
#else
#define isLeft (tokens < TOKENS)
#endif

/* What the database has of the account. */
typedef Rows {
  byte holder;         /* of the lease; NOBODY after a release */
  byte epoch;          /* of lease and fence: a token, another one with each take */
  byte renewal;        /* of the lease: a token, another one with each renewal */
  byte leaseTimeline;  /* of the database when the lease was taken */
  byte commit;         /* of the fence: a token, another one with each commit */
  byte timeline;       /* of the database at the last commit */
  byte value;          /* a counter */
  byte take            /* for the checks: the number of the take */
}
Rows primary, standby, dump;
bool isDumped, isRestored;
byte timeline;  /* of the database: another one after a restore or a failover that may have lost something */

mtype = { none, toTake, toFence, toCommit, toRelease };
mtype = { idle, sent, executed, ok, refused, unknown };
/* Two connections of each replica: one for takes, commits and releases, one for renewals. */
mtype request[2] = none;
mtype answer[2] = idle;
mtype renewing[2] = idle;

/* A request that the database receives after its connection was cut, with its arguments. */
mtype late = none;
byte lateBy, lateEpoch, lateSeenEpoch, lateSeenRenewal, lateNext, lateWritten, lateTake, lateBase;

/* Whose transaction has locked the row of the fence, and for how many ticks. */
byte locked = NOBODY;
byte lockedFor;

bool up[2] = true;
byte stopped[2];                          /* ticks; after WAIT for ever */
bool asleep[2];                           /* as stopped, and the monotonic clock stands still */
bool killed[2];
bool isObserving[2] = true, holds[2], shows[2];
byte trust[2], trustWall[2];              /* ticks that are left, by the monotonic and by the wall clock */
byte chance[2], chanceWall[2];            /* the trust that the take or renewal under way would give */
byte quiet[2];                            /* ticks since the tokens below were first read */
byte seenHolder[2], seenEpoch[2], seenRenewal[2], seenTimeline[2], seenAt[2];  /* the last: the timeline of the database itself */
byte epoch[2], renewal[2], nextRenewal[2], last[2], next[2];
byte base[2], written[2], value[2];       /* read or acknowledged; to be written; shown */
bool again[2];                            /* totals begin at 0 with the next commit */
byte takeOf[2];
byte phase;                               /* of three ticks, in one of which clocks may stand still */

byte tokens, takes, failures;
byte acknowledged, shown;                 /* for the checks: the highest values */
byte unserved;                            /* ticks */

#ifdef SERVE_AFTER_EXPIRY
#define trusts(i) (holds[i])
#else
#ifdef MONOTONIC_CLOCK_ONLY
#define trusts(i) (holds[i] && trust[i] > 0)
#else
#define trusts(i) (holds[i] && trust[i] > 0 && trustWall[i] > 0)
#endif
#endif
#define serves(i) (up[i] && shows[i] && trusts(i))
#define asks(i) (up[i] && trusts(i))

#ifdef NO_FENCE
#define passes(i) true
#else
#ifdef NO_CHAIN
#define passes(i) (primary.epoch == epoch[i])
#else
#define passes(i) (primary.epoch == epoch[i] && primary.commit == last[i])
#endif
#endif

#ifdef TAKE_AT_ONCE_AFTER_RESTORE
#define isFree(i) (seenHolder[i] == NOBODY)
#else
#define isFree(i) (seenHolder[i] == NOBODY && seenTimeline[i] == timeline)
#endif

#ifdef OBSERVE_TOKENS_ONLY
#define isSameDatabase(i) true
#else
#define isSameDatabase(i) (seenAt[i] == timeline)
#endif
#define hasRead(i) (isSameDatabase(i) && primary.epoch == seenEpoch[i] && primary.renewal == seenRenewal[i] && primary.holder == seenHolder[i])

inline copy(to, from) {
  to.holder = from.holder; to.epoch = from.epoch; to.renewal = from.renewal; to.leaseTimeline = from.leaseTimeline;
  to.commit = from.commit; to.timeline = from.timeline; to.value = from.value; to.take = from.take
}

/* NUMBERS stands for tokens that count up from what was read, and so repeat after a restore. */
inline fresh(token, former) {
#ifdef PROGRESS
  tokens = tokens % 60 + 1; token = tokens
#else
  tokens++;
#ifdef NUMBERS
  token = former + 1
#else
  token = tokens
#endif
#endif
}

inline fails() { failures++; unserved = 0 }

/* What was executed or sent when the connection went: its client does not know. */
inline cut(i) {
  if
  :: answer[i] == sent && late == none && request[i] != toFence ->
       late = request[i]; lateBy = i; lateEpoch = epoch[i]; lateSeenEpoch = seenEpoch[i]; lateSeenRenewal = seenRenewal[i];
       lateNext = next[i]; lateWritten = written[i]; lateTake = takeOf[i]; lateBase = base[i];
       if :: locked == i -> locked = GONE :: else fi
  :: answer[i] == sent && locked == i -> locked = NOBODY; lockedFor = 0
  :: answer[i] == executed || (answer[i] == sent && locked != i) -> skip
  fi;
  answer[i] = unknown
}

inline forget(i) {
  isObserving[i] = true; holds[i] = false; shows[i] = false; trust[i] = 0; trustWall[i] = 0; chance[i] = 0; chanceWall[i] = 0; quiet[i] = 0;
  seenHolder[i] = 0; seenEpoch[i] = 0; seenRenewal[i] = 0; seenTimeline[i] = 0; seenAt[i] = 0; epoch[i] = 0; renewal[i] = 0;
  nextRenewal[i] = 0; last[i] = 0; next[i] = 0; base[i] = 0; written[i] = 0; value[i] = 0; again[i] = false;
  takeOf[i] = 0; request[i] = none; answer[i] = idle
}

/* Every step of a replica may be its last for a while. */
inline mayFail(i) {
  if
  :: true
#ifdef STOPS
  :: failures < FAILURES -> fails(); up[i] = false
#endif
#ifdef SLEEPS
  :: failures < FAILURES -> fails(); up[i] = false; asleep[i] = true
#endif
#ifdef KILLS
  :: failures < FAILURES -> fails(); killed[i] = true
#endif
  fi
}

/* ---- The database ---- */

inline replicate() {
  copy(standby, primary);
  if :: answer[0] == executed -> answer[0] = ok :: else fi;
  if :: answer[1] == executed -> answer[1] = ok :: else fi;
  if :: renewing[0] == executed -> renewing[0] = ok :: else fi;
  if :: renewing[1] == executed -> renewing[1] = ok :: else fi
}

/* Without a failover nothing depends on the standby. */
#if defined(FAILOVER) && !defined(ASYNCHRONOUS)
#define done executed
#else
#define done ok
#endif

inline writeTake(by, token, number) {
  primary.holder = by; primary.epoch = token; primary.renewal = token; primary.leaseTimeline = timeline; primary.take = number
}

/* Only the last take commits, and only what was computed from the records that it replaces. */
inline writeCommit(token, from, to, number) {
  assert(number == primary.take);
  assert(from == primary.value);
  assert(isRestored || to >= acknowledged);
  primary.commit = token; primary.value = to; primary.timeline = timeline; locked = NOBODY; lockedFor = 0
}

inline execute(i) {
  if
  :: request[i] == toTake && locked == NOBODY ->
       if
       :: hasRead(i) -> writeTake(i, epoch[i], takeOf[i]); answer[i] = done
       :: else -> answer[i] = refused
       fi
  :: request[i] == toFence && locked == NOBODY ->
       if
       :: passes(i) -> locked = i; lockedFor = 0; answer[i] = ok
       :: else -> answer[i] = refused
       fi
  :: request[i] == toCommit && locked == i -> writeCommit(next[i], base[i], written[i], takeOf[i]); answer[i] = done
  :: request[i] == toCommit && locked != i -> answer[i] = refused
  :: request[i] == toRelease ->
       if
       :: primary.epoch == epoch[i] -> primary.holder = NOBODY; answer[i] = done
       :: else -> answer[i] = refused
       fi
  fi
}

inline executeLate() {
  if
  :: late == toTake && locked == NOBODY ->
       if
       :: primary.epoch == lateSeenEpoch && primary.renewal == lateSeenRenewal -> writeTake(lateBy, lateEpoch, lateTake)
       :: else
       fi
  :: late == toCommit ->
       if
       :: locked == GONE -> writeCommit(lateNext, lateBase, lateWritten, lateTake)
       :: else
       fi
  :: late == toRelease ->
       if
       :: primary.epoch == lateEpoch -> primary.holder = NOBODY
       :: else
       fi
  fi;
  late = none; lateBy = 0; lateEpoch = 0; lateSeenEpoch = 0; lateSeenRenewal = 0; lateNext = 0; lateWritten = 0;
  lateTake = 0; lateBase = 0
}

#define isBehind (standby.holder != primary.holder || standby.epoch != primary.epoch || \
  standby.renewal != primary.renewal || standby.commit != primary.commit || standby.value != primary.value || \
  answer[0] == executed || answer[1] == executed || renewing[0] == executed || renewing[1] == executed)

inline loseConnections() {
  if :: answer[0] == sent || answer[0] == executed -> answer[0] = unknown :: else fi;
  if :: answer[1] == sent || answer[1] == executed -> answer[1] = unknown :: else fi;
  if :: renewing[0] == sent || renewing[0] == executed -> renewing[0] = unknown :: else fi;
  if :: renewing[1] == sent || renewing[1] == executed -> renewing[1] = unknown :: else fi;
  late = none; locked = NOBODY; lockedFor = 0
}

inline renew(i) {
  if
  :: primary.epoch == epoch[i] && primary.renewal == renewal[i] && primary.holder == i ->
       primary.renewal = nextRenewal[i]; renewing[i] = done
  :: else -> renewing[i] = refused
  fi
}

proctype Database() {
  do
  :: atomic { isBehind -> replicate() }
  :: atomic { answer[0] == sent && (request[0] == toCommit || request[0] == toRelease || locked == NOBODY) -> execute(0) }
  :: atomic { answer[1] == sent && (request[1] == toCommit || request[1] == toRelease || locked == NOBODY) -> execute(1) }
  :: atomic { renewing[0] == sent -> renew(0) }
  :: atomic { renewing[1] == sent -> renew(1) }
  :: atomic { late != none && (late != toTake || locked == NOBODY) -> executeLate() }
#ifdef CUTS
  :: atomic { (answer[0] == sent || answer[0] == executed) && failures < FAILURES -> fails(); cut(0) }
  :: atomic { (answer[1] == sent || answer[1] == executed) && failures < FAILURES -> fails(); cut(1) }
  :: atomic { (renewing[0] == sent || renewing[0] == executed) && failures < FAILURES -> fails(); renewing[0] = unknown }
  :: atomic { (renewing[1] == sent || renewing[1] == executed) && failures < FAILURES -> fails(); renewing[1] = unknown }
#endif
#ifdef FAILOVER
  :: atomic {
       failures < FAILURES && (isBehind || locked != NOBODY) ->
       fails(); copy(primary, standby); loseConnections(); assert(primary.value >= acknowledged)
     }
#endif
#ifdef RESTORE
  :: atomic { !isDumped -> isDumped = true; copy(dump, primary) }
  :: atomic {
       isDumped && !isRestored && failures < FAILURES ->
       fails(); isRestored = true; timeline = 1; copy(primary, dump); copy(standby, dump); loseConnections()
     }
#endif
  od
}

/* ---- A replica ---- */

inline await(i) { (answer[i] != sent && answer[i] != executed) || killed[i] }

proctype Replica(byte i; bool owns) provided (up[i]) {
  if
  :: owns -> goto holding
  :: else
  fi;
start:
  atomic {
    if
    :: killed[i] && (answer[i] == sent || answer[i] == executed) -> cut(i)
    :: else
    fi;
    renewing[i] = idle; forget(i); killed[i] = false
  };
  do
  :: atomic { killed[i] -> goto start }
  :: atomic {
       !killed[i] && !hasRead(i) ->
       seenHolder[i] = primary.holder; seenEpoch[i] = primary.epoch; seenRenewal[i] = primary.renewal;
       seenTimeline[i] = primary.leaseTimeline; seenAt[i] = timeline; quiet[i] = 0; mayFail(i)
     }
  :: atomic {
       !killed[i] && (isFree(i) || quiet[i] >= WAIT) && isLeft ->
       fresh(epoch[i], seenEpoch[i]); takes++; takeOf[i] = takes; isObserving[i] = false; quiet[i] = 0; chance[i] = TRUST; chanceWall[i] = TRUST;
       request[i] = toTake; answer[i] = sent; mayFail(i)
     };
     await(i);
     atomic {
       if
       :: killed[i] || answer[i] != ok -> goto start
       :: else
       fi;
       holds[i] = true; trust[i] = chance[i]; trustWall[i] = chanceWall[i]; chance[i] = 0; chanceWall[i] = 0; renewal[i] = epoch[i];
       base[i] = primary.value; last[i] = primary.commit; again[i] = (primary.timeline != timeline);
       seenHolder[i] = 0; seenEpoch[i] = 0; seenRenewal[i] = 0; seenTimeline[i] = 0; seenAt[i] = 0;
       request[i] = none; answer[i] = idle; mayFail(i); goto holding
     }
  od;

holding:
  do
  :: atomic { killed[i] || !trusts(i) -> goto start }
  :: atomic {
       !killed[i] && trusts(i) && isLeft && (!shows[i] || base[i] < VALUES) ->
       fresh(next[i], last[i]);
       if
       :: again[i] -> written[i] = 0
       :: !again[i] && shows[i] && base[i] < VALUES -> written[i] = base[i] + 1
       :: else -> written[i] = base[i]
       fi;
       request[i] = toFence; answer[i] = sent; mayFail(i)
     };
     await(i);
     if
     :: atomic { killed[i] || answer[i] == refused -> goto start }
     :: atomic { !killed[i] && answer[i] == unknown -> answer[i] = idle; next[i] = 0; written[i] = 0; request[i] = none }
     :: atomic {
          !killed[i] && answer[i] == ok -> request[i] = toCommit; answer[i] = sent; mayFail(i)
        };
        await(i);
        if
        :: atomic { killed[i] -> goto start }
        :: atomic {
             !killed[i] && answer[i] == ok ->
             if
             :: again[i] -> acknowledged = 0; shown = 0; isRestored = false
             :: else
             fi;
             base[i] = written[i]; value[i] = written[i]; last[i] = next[i]; again[i] = false; shows[i] = true;
             if :: takeOf[i] == primary.take && value[i] > acknowledged -> acknowledged = value[i] :: else fi;
             if :: serves(i) && value[i] > shown -> shown = value[i] :: else fi;
             next[i] = 0; written[i] = 0; request[i] = none;
             answer[i] = idle; mayFail(i)
           }
        :: atomic {
             /* The row tells what became of it. */
             !killed[i] && (answer[i] == unknown || answer[i] == refused) ->
             if
             :: primary.epoch != epoch[i] || primary.timeline != timeline && !again[i] -> goto start
             :: else
             fi;
             base[i] = primary.value; last[i] = primary.commit; answer[i] = idle;
#ifdef SHOW_WHAT_WAS_READ
             value[i] = base[i];
             if :: serves(i) && value[i] > shown -> shown = value[i] :: else fi;
#endif
             next[i] = 0; written[i] = 0; request[i] = none;
             mayFail(i)
           }
        fi
     fi
#ifdef RELEASES
  :: atomic {
       !killed[i] && shows[i] && trusts(i) && renewing[i] == idle ->
#ifndef RELEASE_BEFORE_STOPPING
       shows[i] = false; holds[i] = false;
#endif
       request[i] = toRelease; answer[i] = sent; mayFail(i)
     };
     await(i);
     atomic { true -> goto start }
#endif
  od
}

proctype Renewal(byte i) provided (up[i]) {
  do
  :: atomic {
       trusts(i) && renewing[i] == idle && trust[i] < TRUST && !killed[i] && isLeft && request[i] != toRelease ->
       fresh(nextRenewal[i], renewal[i]); chance[i] = TRUST; chanceWall[i] = TRUST; renewing[i] = sent; mayFail(i)
     }
  :: atomic {
       renewing[i] == ok ->
       renewal[i] = nextRenewal[i]; nextRenewal[i] = 0; renewing[i] = idle;
       if
       :: trusts(i) -> trust[i] = chance[i]; trustWall[i] = chanceWall[i]
       :: else
       fi;
       chance[i] = 0; chanceWall[i] = 0
     }
  :: atomic { renewing[i] == refused -> renewing[i] = idle; holds[i] = false; shows[i] = false }
  :: atomic {
       renewing[i] == unknown -> renewing[i] = idle;
       if
       :: primary.epoch == epoch[i] && primary.renewal == nextRenewal[i] -> renewal[i] = nextRenewal[i]
       :: else
       fi;
       nextRenewal[i] = 0; chance[i] = 0; chanceWall[i] = 0
     }
  od
}

/* ---- Time ---- */

#define down(counter) if :: counter > 0 -> counter-- :: else fi

/* Clocks are unequal: of three ticks each may count two. */
inline pass(i) {
#ifdef SLEEPS
  if :: trustWall[i] > 0 -> trustWall[i]-- :: else fi;
  if :: chanceWall[i] > 0 -> chanceWall[i]-- :: else fi;
#endif
  if
  :: asleep[i]
#ifdef UNEQUAL
  :: !asleep[i] && phase == 0
#endif
  :: !asleep[i] ->
       if :: trust[i] > 0 -> trust[i]-- :: else fi;
       if :: chance[i] > 0 -> chance[i]-- :: else fi;
       if :: isObserving[i] && quiet[i] < WAIT -> quiet[i]++ :: else fi
  fi;
  if
  :: !up[i] && stopped[i] <= WAIT -> up[i] = true; asleep[i] = false; stopped[i] = 0
  :: !up[i] -> if :: stopped[i] <= WAIT -> stopped[i]++ :: else fi
  :: up[i]
  fi
}

/* A process that is not stopped handles a reply within a tick; the network and the database may take any time. */
#define isDone(i) (!up[i] || (answer[i] == idle || answer[i] == sent || answer[i] == executed) && \
  (renewing[i] == idle || renewing[i] == sent || renewing[i] == executed) && (!isObserving[i] || hasRead(i)))
#ifdef PROGRESS
#define isTime timeout
#else
#define isTime (isDone(0) && isDone(1))
#endif

proctype Time() {
  do
  :: atomic {
       isTime ->
#ifdef PROGRESS
       if
       :: serves(0) || serves(1) -> unserved = 0
       :: else -> unserved++
       fi;
       assert(unserved <= LONGEST);
#endif
#ifdef UNEQUAL
       phase = (phase + 1) % 3;
#endif
       pass(0); pass(1);
#ifndef LOCKED_FOR_EVER
       if
       :: locked != NOBODY && lockedFor >= MARGIN -> locked = NOBODY; lockedFor = 0
       :: locked != NOBODY && lockedFor < MARGIN -> lockedFor++
       :: else
       fi
#endif
     }
  od
}

proctype Prometheus() {
  do
  :: atomic { asks(0) && asks(1) -> assert(false) }
  :: atomic { serves(0) && serves(1) -> assert(false) }
  :: atomic { serves(0) && value[0] < shown -> assert(false) }
  :: atomic { serves(1) && value[1] < shown -> assert(false) }
  od
}

init {
  atomic {
    primary.holder = 0; primary.leaseTimeline = 0; copy(standby, primary);
    holds[0] = true; shows[0] = true; isObserving[0] = false; trust[0] = TRUST; trustWall[0] = TRUST;
    run Database(); run Time(); run Prometheus();
    run Replica(0, true); run Renewal(0); run Replica(1, false); run Renewal(1)
  }
}
