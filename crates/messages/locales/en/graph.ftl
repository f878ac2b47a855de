# What is wrong with a node of an ONNX or .ff graph, or with the file.

graph-the-model = the model
graph-the-file = the file
graph-line = line { $line }

graph-missing-input = input { $index } is missing
graph-no-inputs = it has no inputs
graph-no-part = it has no { $name }
graph-many-dimensions = it has { $count } dimensions; at most { $most } are read
graph-elements = { $shape } has more than 1e15 elements; this exceeds any memory
graph-no-dimension = dimension { $number } does not exist: its input has { $rank } dimensions
graph-broadcast = shapes { $one } and { $other } do not fit together
graph-matmul = shapes { $one } and { $other } can't be multiplied
graph-window = a window of { $covered } with step { $stride } does not fit into { $size } + { $padding } padding
graph-reshape = { $from } can't be reshaped to { $wanted }
graph-order = { $order } is not an order of the dimensions of { $from }
graph-concat = { $part } does not fit after { $before } along dimension { $along }
graph-unknown-numbers = the new shape depends on data; if an input decides it, give its numbers with --input-value NAME=NUMBER,NUMBER
graph-gather-places = its places do not fit its input
graph-four-dimensions = its input has not four dimensions
graph-blocksize = its blocksize is not above 0
graph-split-sizes = sizes { $sizes } do not add up to { $total } in { $count } outputs
graph-plane = its input { $input } has neither one nor two nor three dimensions after the channels
graph-negative-padding = padding { $padding } is negative
graph-conv-weights = its weights { $weights } are not [out, in, height, width]
graph-conv-groups = input { $input } does not fit weights { $weights } in { $groups } groups
graph-pool-axes = its window { $kernel } does not have the axes of its input { $sizes }
graph-pads = { $count } pads do not fit { $dimensions } dimensions
graph-pads-take = pads { $pads } take more than { $from } has
graph-transposed = its input { $input } and weights { $weights } are not those of a two-dimensional transposed convolution
graph-weights = input { $input } does not fit weights { $weights }
graph-recurrent = { $input }, { $weights } and { $hidden } are not those of a recurrent layer
graph-einsum-arrow = its equation has no arrow
graph-einsum-operands = only one or two operands without `...` are supported; write it as MatMul
graph-einsum-term = `{ $term }` does not name the dimensions of { $shape }
graph-einsum-sizes = `{ $letter }` has the sizes { $one } and { $other }
graph-einsum-result = a letter of its result is in no operand
graph-attention-rows = rows must be [batch, rows, hidden], and weights [hidden, all]
graph-attention-weights = its weights do not fit its rows
graph-attention-packed = query, key and value must be [batch, rows, hidden]; operands that are packed together are not supported
graph-attention-columns = heads of query and key differ in their columns
graph-attention-heads = its heads do not divide its operands
graph-attention-dimensions = query, key and value must have three or four dimensions, and with three q_num_heads and kv_num_heads
graph-condition = its condition depends on data; if an input decides it, give its number with --input-value NAME=NUMBER, else export the model with a fixed condition
graph-iterations = how often it runs depends on data; if an input decides it, give its number with --input-value NAME=NUMBER, else export the model with a fixed number of iterations
graph-loop-operands = it has less than two operands
graph-body-operands = its body has less than two operands
graph-body-condition = its body has no condition
graph-many-nodes = loops with more than { $most } nodes in all iterations are not unrolled
graph-onnx-advice = replace it in the model, or count it with --unknown-as-memory as one operation per element of its shapes in the file

graph-no-onnx = it is not an ONNX file, or its end is missing; give the complete .onnx file
graph-no-graph = it holds no graph; is it an ONNX file?
graph-weight-dimensions = weight `{ $name }` has { $count } dimensions
graph-open-shape = its shape { $shape } has unknown sizes; give them with --input-shape, --batch or --dim NAME=SIZE
graph-value-count = the input of shape { $shape } takes { $count ->
    [one] { $count } number
   *[other] { $count } numbers
}
graph-no-open-size = the model leaves no size of this name open; it has { $names }
graph-no-open-sizes = the model leaves no size of this name open; it has none
graph-no-such-input = the model has no such input; its inputs are { $names }
graph-no-batch = no input of the model leaves its first size open; export it with an open batch, or give whole shapes with --input-shape NAME=SIZES

graph-ff-empty = it holds no operators
graph-ff-fields = an operator has at least four fields: name; inputs; outputs; type
graph-ff-attribute = node `{ $node }` is an attribute tensor, whose shape is not in the format; export the model without it
graph-ff-later = `{ $one }` and `{ $other }`, which is on a later line
graph-ff-shape = its shape is not given; the file holds none, so give one shape for each INPUT line
graph-ff-item = item { $chosen } does not exist: its input has { $outputs } items
graph-ff-parameter = it has { $count } parameters, and number { $number } is missing
graph-ff-whole = parameter { $number } is `{ $text }`; it must be a whole number
graph-ff-negative = parameter { $number } is { $value }; it must not be negative
graph-ff-advice = write one of FlexFlow's operator types
graph-ff-two = it has { $count } inputs and needs 2
graph-ff-activation = activation { $code } is none of 10 to 14
graph-ff-flat = its input has no dimensions
graph-ff-image = its input { $input } is not [batch, channels, height, width]
graph-ff-groups = { $channels } and { $out } channels do not split into { $groups } groups
graph-ff-pieces = { $input } splits into more than { $most } pieces
graph-ff-divide = dimension { $axis } of { $input } does not divide into { $pieces } equal pieces, one for each consumer
graph-ff-few = { $input } has too few dimensions
graph-ff-many = { $input } has more dimensions than { $wanted }
graph-ff-repeat = a dimension of { $own } can't be repeated to { $size }
