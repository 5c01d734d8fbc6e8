package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.HttpMethod;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.Entity;
import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.json.JsonFields;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The routes of entities and their parents. */
final class EntityRoutes {
  private static final String ALL = "/entities";
  private static final String ONE = ALL + "/{entity}";
  private static final String NAME = "name";
  private static final String PARENT = "parent";
  private static final String CASCADE = "cascade";
  private static final String METADATA = "metadata";

  private EntityRoutes() {}

  static void addTo(AdminRoutes routes) {
    routes.read(ALL, EntityRoutes::list, "prefix", "pageSize", "cursor");
    routes.read(ONE, call -> AdminJson.of(existing(call)));
    routes.change(HttpMethod.PUT, ONE, EntityRoutes::put);
    routes.change(HttpMethod.PATCH, ONE, EntityRoutes::patch);
    routes.change(
        HttpMethod.DELETE,
        ONE,
        call ->
            AdminJson.progress(
                call.entities()
                    .delete(call.entity(), call.flag("forgiveDebt"), ProgressListener.NONE)),
        "forgiveDebt");
    routes.list(
        ONE + "/children",
        (call, size, cursor) -> call.entities().children(call.entity(), size, cursor),
        AdminJson::of);
    routes.list(
        ONE + "/buckets",
        (call, size, cursor) -> call.buckets().ofEntity(call.entity(), size, cursor),
        AdminJson::of);
    routes.read(
        ONE + "/explain/{resource}",
        call -> AdminJson.of(call.limits().explain(call.entity(), call.resource())));
  }

  /** The entities without a parent, or those with an id that starts with a prefix. */
  private static Object list(AdminCall call) {
    String prefix = call.query("prefix");
    if (prefix == null) {
      return AdminRoutes.Items.of(
          call.entities().roots(call.pageSize(), call.cursor()), AdminJson::of);
    }
    if (call.cursor() != null) {
      throw BadRequest.field("cursor", "does not go with 'prefix': give a longer prefix");
    }
    return EntitySearch.find(call.entities(), prefix, call.pageSize());
  }

  private static Entity existing(AdminCall call) {
    String id = call.entity();
    return AdminCall.found(call.entities().get(id), "entity '" + id + "'", "PUT creates it");
  }

  /** Creates the entity, or changes it to the given state. */
  private static Object put(AdminCall call) {
    String id = call.entity();
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
    Optional<Entity> existing = call.entities().get(id);
    if (existing.isEmpty()) {
      return new AdminRoutes.Created(AdminJson.of(call.entities().create(wanted)));
    }
    ChangeResult unused =
        call.entities()
            .update(
                id,
                EntityUpdate.none()
                    .name(wanted.name())
                    .cascade(wanted.cascade())
                    .metadata(wanted.metadata()));
    move(call, existing.get(), wanted.parentId());
    return AdminJson.of(existing(call));
  }

  /** Changes the given fields. */
  private static Object patch(AdminCall call) {
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
      ChangeResult unused = call.entities().update(existing.id(), update);
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

  private static void move(AdminCall call, Entity entity, @Nullable String parent) {
    if (parent == null && entity.parentId() != null) {
      ChangeResult unused = call.entities().moveToTop(entity.id());
    } else if (parent != null && !parent.equals(entity.parentId())) {
      ChangeResult unused = call.entities().move(entity.id(), parent);
    }
  }
}
