package dev.millrace.client.internal;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.config.Standing;
import dev.millrace.core.config.Terms;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.JointCommit;
import dev.millrace.core.protocol.Sighting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The buckets that were ahead of a request, each with the version of the configuration that it
 * follows.
 *
 * <p>What is looked up after that is at least as new. Versions only grow, as long as nothing is
 * deleted; when an entity was deleted and made anew, a bucket may have been left behind whose
 * version is greater than anything that will ever be looked up. What was looked up is right all the
 * same, so it takes over the bucket's version.
 */
record Ahead(Map<BucketKey, Long> versions) {
  static final Ahead NOBODY = new Ahead(Map.of());

  private static final long NOT_AHEAD = -1;

  static Ahead of(Prepared prepared, Ends ends) {
    Map<BucketKey, Long> versions = null;
    for (int i = 0; i < prepared.legs().size(); i++) {
      Leg leg = prepared.legs().get(i);
      long version = NOT_AHEAD;
      if (ends.outcomes().get(i) instanceof Outcome.Outdated outdated) {
        version = outdated.standing().version();
      } else if (ends.isAdmitted(i)) {
        version = versionAhead(leg);
      }
      if (version != NOT_AHEAD) {
        versions = versions == null ? new HashMap<>() : versions;
        put(versions, leg.key(), version);
      }
    }
    return versions == null ? NOBODY : new Ahead(versions);
  }

  /** The buckets that were last seen to be ahead. */
  static Ahead of(List<Leg> legs) {
    Map<BucketKey, Long> versions = new HashMap<>();
    for (Leg leg : legs) {
      long version = versionAhead(leg);
      if (version != NOT_AHEAD) {
        put(versions, leg.key(), version);
      }
    }
    return new Ahead(versions);
  }

  /** Whether the bucket was last seen to be ahead. */
  static boolean isAhead(Leg leg) {
    return versionAhead(leg) != NOT_AHEAD;
  }

  /**
   * Who consumes without a claim is admitted by a bucket that is ahead: the write asks for tokens,
   * not for the version. But its answer tells, and the limits or the parents may be others by now.
   */
  private static long versionAhead(Leg leg) {
    Sighting sighting = leg.bucket().sighting();
    long version = sighting == null ? NOT_AHEAD : sighting.state().standing().version();
    return version > leg.terms().standing().version() ? version : NOT_AHEAD;
  }

  static Ahead of(
      Prepared prepared, JointCommit.Outcome.Outdated outdated, JointCommit.Result result) {
    Map<BucketKey, Long> versions = new HashMap<>();
    for (int part : outdated.parts()) {
      Sighting seen = result.sightings().get(part);
      long version = seen == null ? Standing.UNVERSIONED : seen.state().standing().version();
      put(versions, prepared.legs().get(part).key(), version);
    }
    return new Ahead(versions);
  }

  /** Of all shards of a bucket the one that is furthest ahead counts. */
  private static void put(Map<BucketKey, Long> versions, BucketKey key, long version) {
    versions.merge(key.withShard(0), version, Math::max);
  }

  boolean isNobody() {
    return versions.isEmpty();
  }

  /** The request as it was looked up after that: nobody that was seen is ahead of it. */
  Prepared overtakenBy(Prepared prepared) {
    if (isNobody()) {
      return prepared;
    }
    List<Leg> legs = new ArrayList<>(prepared.legs().size());
    for (Leg leg : prepared.legs()) {
      long version = versions.getOrDefault(leg.key(), Standing.UNVERSIONED);
      legs.add(version > leg.terms().standing().version() ? overtaking(leg, version) : leg);
    }
    return prepared.withLegs(legs);
  }

  private static Leg overtaking(Leg leg, long version) {
    Known known = leg.bucket().known();
    Standing standing = leg.terms().standing();
    // Another caller may know less by now: that must not be taken for the bucket's version.
    if (known != null && known.resolved().standing().version() == standing.version()) {
      leg.bucket().known(known.withVersion(version));
    }
    Standing raised = new Standing(standing.level(), version, standing.disabled());
    return new Leg(
        leg.bucket(), new Terms(leg.terms().limits(), raised), leg.amounts(), leg.mayCreate());
  }
}
