package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.millrace.admin.AdminJson;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.Entity;
import dev.millrace.admin.EntityAdmin;
import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.ProgressListener;
import dev.millrace.server.adminapi.Answer.Created;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.problem.BadRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who has limits, and who is below whom. */
final class EntityRoutes {
  private static final String ALL = AdminApi.BASE + "/entities";
  private static final String ONE = ALL + "/{entity}";
  private static final String NAME = "name";
  private static final String PARENT = "parent";
  private static final String CASCADE = "cascade";
  private static final String METADATA = "metadata";

  private EntityRoutes() {}

  static void addTo(Routes routes) {
    routes.read(ALL, EntityRoutes::list, "prefix", "pageSize", "cursor");
    routes.read(ONE, call -> AdminJson.of(existing(call)));
    routes.change(HttpMethod.PUT, ONE, EntityRoutes::put);
    routes.change(HttpMethod.PATCH, ONE, EntityRoutes::patch);
    routes.change(
        HttpMethod.DELETE,
        ONE,
        call ->
            AdminJson.of(
                entities(call)
                    .delete(call.path("entity"), call.flag("forgiveDebt"), ProgressListener.NONE)),
        "forgiveDebt");
    routes.read(
        ONE + "/children",
        call ->
            Lists.of(
                entities(call).children(call.path("entity"), call.pageSize(), call.cursor()),
                AdminJson::of),
        "pageSize",
        "cursor");
    routes.read(
        ONE + "/buckets",
        call ->
            Lists.of(
                call.namespace()
                    .buckets()
                    .ofEntity(call.path("entity"), call.pageSize(), call.cursor()),
                AdminJson::of),
        "pageSize",
        "cursor");
    routes.read(
        ONE + "/explain/{resource}",
        call ->
            AdminJson.of(
                call.namespace().limits().explain(call.path("entity"), call.path("resource"))));
  }

  private static EntityAdmin entities(Call call) {
    return call.namespace().entities();
  }

  /** Those at the top, or those whose id begins with something. */
  private static Map<String, @Nullable Object> list(Call call) {
    String prefix = call.query("prefix");
    if (prefix == null) {
      return Lists.of(entities(call).roots(call.pageSize(), call.cursor()), AdminJson::of);
    }
    if (call.cursor() != null) {
      throw BadRequest.field("cursor", "does not go with 'prefix': give a longer prefix");
    }
    return EntitySearch.find(entities(call), prefix, call.pageSize());
  }

  private static Entity existing(Call call) {
    String id = call.path("entity");
    return entities(call)
        .get(id)
        .orElseThrow(() -> Call.missing("entity '" + id + "'", "PUT creates it"));
  }

  /** Makes it so, whether or not it was there. */
  private static Object put(Call call) {
    String id = call.path("entity");
    JsonFields body = call.body();
    String name = body.textOrNull(NAME);
    Map<String, String> metadata = metadata(body);
    NewEntity wanted =
        new NewEntity(
            id,
            name == null ? "" : name,
            body.textOrNull(PARENT),
            body.flag(CASCADE, false),
            metadata == null ? Map.of() : metadata);
    body.done();
    Optional<Entity> existing = entities(call).get(id);
    if (existing.isEmpty()) {
      return new Created(AdminJson.of(entities(call).create(wanted)));
    }
    ChangeResult unused =
        entities(call)
            .update(
                id,
                EntityUpdate.none()
                    .name(wanted.name())
                    .cascade(wanted.cascade())
                    .metadata(wanted.metadata()));
    move(call, existing.get(), wanted.parentId());
    return AdminJson.of(existing(call));
  }

  /** Changes what is named. */
  private static Object patch(Call call) {
    JsonFields body = call.body();
    EntityUpdate update =
        new EntityUpdate(
            body.textOrNull(NAME),
            body.has(CASCADE) ? body.flag(CASCADE, false) : null,
            metadata(body));
    String parent = body.textOrNull(PARENT);
    body.done();
    Entity existing = existing(call);
    if (!update.equals(EntityUpdate.none())) {
      ChangeResult unused = entities(call).update(existing.id(), update);
    }
    if (body.mentions(PARENT)) {
      move(call, existing, parent);
    }
    return AdminJson.of(existing(call));
  }

  private static @Nullable Map<String, String> metadata(JsonFields body) {
    JsonFields object = body.objectOrNull(METADATA);
    if (object == null) {
      return null;
    }
    Map<String, String> metadata = new LinkedHashMap<>();
    object.names().forEach(key -> metadata.put(key, object.text(key)));
    return metadata;
  }

  private static void move(Call call, Entity entity, @Nullable String parent) {
    if (parent == null && entity.parentId() != null) {
      ChangeResult unused = entities(call).moveToTop(entity.id());
    } else if (parent != null && !parent.equals(entity.parentId())) {
      ChangeResult unused = entities(call).move(entity.id(), parent);
    }
  }
}
