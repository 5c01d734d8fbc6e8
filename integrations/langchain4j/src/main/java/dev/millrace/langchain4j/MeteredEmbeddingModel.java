package dev.millrace.langchain4j;

import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.listener.EmbeddingModelListener;
import dev.langchain4j.model.embedding.request.EmbeddingParameter;
import dev.langchain4j.model.embedding.request.EmbeddingRequest;
import dev.langchain4j.model.embedding.request.EmbeddingRequestParameters;
import dev.langchain4j.model.embedding.response.EmbeddingResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * An embedding model that meters the model behind it. A model that divides a long list of texts
 * into several requests is metered for one: the division is not visible from outside.
 */
final class MeteredEmbeddingModel implements EmbeddingModel {
  private final EmbeddingModel model;
  private final MeteredModels models;

  MeteredEmbeddingModel(EmbeddingModel model, MeteredModels models) {
    this.model = model;
    this.models = models;
  }

  @Override
  public EmbeddingResponse embed(EmbeddingRequest request) {
    return metered(request, () -> model.embed(request));
  }

  @Override
  public EmbeddingResponse doEmbed(EmbeddingRequest request) {
    return metered(request, () -> model.doEmbed(request));
  }

  @Override
  public CompletableFuture<EmbeddingResponse> embedAsync(EmbeddingRequest request) {
    return meteredAsync(request, () -> model.embedAsync(request));
  }

  @Override
  public CompletableFuture<EmbeddingResponse> doEmbedAsync(EmbeddingRequest request) {
    return meteredAsync(request, () -> model.doEmbedAsync(request));
  }

  private EmbeddingResponse metered(EmbeddingRequest request, Supplier<EmbeddingResponse> ask) {
    return models.meter().call(models.callOf(request, modelName()), ask, models::endOf);
  }

  private CompletableFuture<EmbeddingResponse> meteredAsync(
      EmbeddingRequest request, Supplier<CompletableFuture<EmbeddingResponse>> ask) {
    return models.meter().callAsync(models.callOf(request, modelName()), ask, models::endOf);
  }

  /** Reading it can be a call; it is made once, and not worth a refusal. */
  @Override
  public int dimension() {
    return model.dimension();
  }

  @Override
  public String modelName() {
    return model.modelName();
  }

  @Override
  public List<EmbeddingModelListener> listeners() {
    return model.listeners();
  }

  @Override
  public ModelProvider provider() {
    return model.provider();
  }

  @Override
  public EmbeddingRequestParameters defaultRequestParameters() {
    return model.defaultRequestParameters();
  }

  @Override
  public Set<EmbeddingParameter<?>> supportedParameters() {
    return model.supportedParameters();
  }

  @Override
  public Set<ContentType> supportedContentTypes() {
    return model.supportedContentTypes();
  }
}
