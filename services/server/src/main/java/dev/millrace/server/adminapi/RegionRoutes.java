package dev.millrace.server.adminapi;

import dev.millrace.regions.allocation.AllocationPolicy;
import dev.millrace.regions.ledger.LimitLedger;
import dev.millrace.regions.sync.RegionOperations;
import dev.millrace.regions.sync.RegionSite;
import dev.millrace.server.problem.BadRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Regions that share limits: which one this is, who else, and what each has of them. */
final class RegionRoutes {
  private RegionRoutes() {}

  static void addTo(Routes routes, RegionLook look) {
    routes.read(AdminApi.BASE + "/regions", call -> regions(call, look), "entity", "resource");
  }

  private static Map<String, @Nullable Object> regions(Call call, RegionLook look) {
    String entity = call.query("entity");
    String resource = call.query("resource");
    if ((entity == null) != (resource == null)) {
      throw BadRequest.because("'entity' and 'resource' go together: the shares of one bucket");
    }
    RegionOperations regions = new RegionOperations(call.namespace(), AllocationPolicy.DEFAULT);
    Optional<RegionSite> site = regions.site();
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("shared", site.isPresent());
    site.ifPresent(found -> json.putAll(found.fields()));
    if (entity != null && resource != null && site.isPresent()) {
      Map<String, Object> shares = new LinkedHashMap<>();
      SortedMap<String, LimitLedger> ledgers = regions.ledgers(entity, resource);
      ledgers.forEach((limit, ledger) -> shares.put(limit, ledger.sharePpm()));
      json.put("sharesPpm", shares);
    }
    if (site.isPresent()) {
      json.put("exchange", look.at(call.namespaceName()));
    }
    return json;
  }
}
