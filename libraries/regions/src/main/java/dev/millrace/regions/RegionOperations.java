package dev.millrace.regions;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.ProgressListener;
import dev.millrace.regions.internal.ledger.GlobalLimit;
import dev.millrace.regions.internal.ledger.LedgerText;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.RegionDeclaration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The commands of operators about regions, in the table of one of them. The same command must be
 * given in all of them; repeating a command changes nothing.
 */
public final class RegionOperations {
  private final NamespaceAdmin admin;
  private final AllocationPolicy policy;

  /** Commands for one namespace of the table of one region. */
  public RegionOperations(NamespaceAdmin admin, AllocationPolicy policy) {
    this.admin = admin;
    this.policy = policy;
  }

  /** The region of this table and the regions it shares with; empty when it does not. */
  public Optional<RegionSite> site() {
    return Optional.ofNullable(RegionSite.ofTexts(admin.regions().settings()));
  }

  /**
   * Declares the region of this table, and the regions that share from the beginning. This cannot
   * be changed: all holdings are counted from it.
   *
   * @param self may be one that joins later, and begins with nothing
   */
  public ChangeResult found(String self, Collection<String> founders) {
    RegionDeclaration first = RegionDeclaration.of(founders);
    RegionSite wanted =
        new RegionSite(self, first.regions().contains(self) ? first : first.adding(self));
    return admin
        .regions()
        .settings(
            texts -> {
              RegionSite stored = RegionSite.ofTexts(texts);
              if (stored == null) {
                return wanted.texts();
              }
              if (!stored.self().equals(self)
                  || !stored.declaration().founders().equals(first.founders())) {
                throw new IllegalArgumentException(
                    "region '%s' founded by %s: the table is already '%s', founded by %s"
                        .formatted(
                            self,
                            first.founders(),
                            stored.self(),
                            stored.declaration().founders()));
              }
              return texts;
            });
  }

  /** Lets a region join, which begins with nothing and is given what it needs. */
  public ChangeResult add(String region) {
    return change(
        declaration ->
            declaration.regions().contains(region) && !declaration.isEvicted(region)
                ? declaration
                : declaration.adding(requireNotEvicted(declaration, region)));
  }

  private static String requireNotEvicted(RegionDeclaration declaration, String region) {
    if (declaration.isEvicted(region)) {
      throw new IllegalArgumentException(
          "region '" + region + "' was evicted: let it join under another name");
    }
    return region;
  }

  /** Lets a region give away all it has, before it is closed. */
  public ChangeResult drain(String region) {
    return change(
        declaration ->
            declaration.draining().contains(region) ? declaration : declaration.draining(region));
  }

  /**
   * Divides the holding of a region that is gone for good among the remaining ones, once all of
   * those have the declaration. It must not serve any more when it is evicted.
   *
   * @param sealed earlier evictions that are done: see {@link RegionDeclaration#evicting}
   * @param published evictions that others have sealed, in their order. An eviction of the same
   *     region is adopted as they have it: a region that joined afterwards is not one of its
   *     survivors
   */
  public ChangeResult evict(String dead, List<EvictionSeal> sealed, List<EvictionSeal> published) {
    return change(
        declaration -> {
          if (declaration.isEvicted(dead)) {
            return declaration;
          }
          RegionDeclaration adopted = declaration;
          for (EvictionSeal seal : published) {
            adopted = adopted.adopting(seal);
            if (seal.dead().contains(dead)) {
              return adopted;
            }
          }
          return declaration.evicting(dead, sealed);
        });
  }

  /**
   * The share of this region in the limits of an entity, by their names, in parts per million;
   * empty when nothing of it was transferred yet, and it has its initial share.
   */
  public SortedMap<String, Integer> sharesPpm(String entityId, String resource) {
    RegionSite site = requireSite(admin.regions().settings());
    SortedMap<String, Integer> shares = new TreeMap<>();
    admin
        .regions()
        .kept(LimitTarget.entityResource(entityId, resource))
        .forEach(
            (limit, text) -> shares.put(limit, LedgerText.parse(site.self(), text).sharePpm()));
    return shares;
  }

  private ChangeResult change(UnaryOperator<RegionDeclaration> change) {
    return admin
        .regions()
        .settings(
            texts -> {
              RegionSite stored = requireSite(texts);
              RegionDeclaration next = change.apply(stored.declaration());
              return next.equals(stored.declaration()) ? texts : stored.with(next).texts();
            });
  }

  private static RegionSite requireSite(SortedMap<String, String> texts) {
    RegionSite stored = RegionSite.ofTexts(texts);
    if (stored == null) {
      throw new IllegalArgumentException(
          "the namespace shares nothing with other regions: declare its region first");
    }
    return stored;
  }

  /**
   * Shares limits. This region enforces its part of them from now on.
   *
   * @param target a resource, or one entity and resource
   * @param whole the limits that all regions share
   * @param own limits of the same target that are this region's alone
   */
  public ChangeResult share(
      LimitTarget target, LimitSet whole, Collection<Limit> own, ProgressListener progress) {
    RegionSite stored = requireSite(admin.regions().settings());
    if (stored.isOut()) {
      throw new IllegalArgumentException(
          "region '" + stored.self() + "' is evicted: others hold what it would share");
    }
    int leastPpm = policy.floorPpm(stored.declaration().regions().size());
    LimitLedger first = stored.declaration().initial(stored.self());
    List<Limit> part = new ArrayList<>(own);
    for (Limit limit : whole) {
      part.add(SharedLimits.part(GlobalLimit.of(limit, leastPpm), first.sharePpm()));
    }
    if (target.resource().isEmpty()) {
      throw new IllegalArgumentException("only limits of a resource can be shared");
    }
    if (!target.entityId().isEmpty()) {
      // The exchange finds shared limits by their resource, which must have a record.
      admin.regions().mark(LimitTarget.resource(target.resource()), progress);
    }
    return admin.regions().share(target, whole, LimitSet.of(part), progress);
  }
}
