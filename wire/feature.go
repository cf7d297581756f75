package wire

import "strconv"

// Revision is the protocol revision this package claims as a server. Clients know nothing that would serve them above it, and below it some of
// them have faults: ch-go leaves out ClientInfo under 54420, clickhouse-go and others disagree on settings at exactly 54429, and query
// parameters begin at 54459.
const Revision = 54460

// MinRevision is the oldest peer this package talks to (ClickHouse 18.5, August 2018).
const MinRevision = 54406

// Feature is a part of the protocol, named for the revision that brought it.
type Feature uint64

// The features between MinRevision and Revision, and those before that tell a packet's layout.
const (
	FeatureClientInfo        Feature = 54032
	FeatureServerTimezone    Feature = 54058
	FeatureQuotaKeyInInfo    Feature = 54060
	FeatureDisplayName       Feature = 54372
	FeatureVersionPatch      Feature = 54401
	FeatureModernTypes       Feature = 54420 // stands for the types that 18.16 does not know (downgrade.go)
	FeatureWrittenProgress   Feature = 54420
	FeatureTextSettings      Feature = 54429
	FeatureInterserverSecret Feature = 54441
	FeatureOpenTelemetry     Feature = 54442
	FeatureForwardedFor      Feature = 54443
	FeatureReferer           Feature = 54447
	FeatureDistributedDepth  Feature = 54448
	FeatureInitialStartTime  Feature = 54449
	FeatureParallelReplicas  Feature = 54453
	FeatureCustomSerial      Feature = 54454
	FeatureAddendum          Feature = 54458
	FeatureParameters        Feature = 54459
	FeatureProgressElapsed   Feature = 54460
)

// In tells whether a connection of the given revision has the feature.
func (f Feature) In(revision uint64) bool { return revision >= uint64(f) }

// String is the revision's number.
func (f Feature) String() string { return strconv.FormatUint(uint64(f), 10) }

// The version of ClickHouse whose behaviour this server follows, as handshakes tell it.
const (
	VersionMajor = 26
	VersionMinor = 7
	VersionPatch = 2
)

// Packet ids from the client.
const (
	clientHello         = 0
	clientQuery         = 1
	clientData          = 2
	clientCancel        = 3
	clientPing          = 4
	clientTablesStatus  = 5
	clientKeepAlive     = 6
	clientScalar        = 7
	clientIgnoredParts  = 8
	lastClientPacket    = 13 // of those that ClickHouse knows
	interserverUserName = " INTERSERVER SECRET "
)

// Packet ids from the server.
const (
	serverHello          = 0
	serverData           = 1
	serverException      = 2
	serverProgress       = 3
	serverPong           = 4
	serverEndOfStream    = 5
	serverProfile        = 6
	serverTotals         = 7
	serverExtremes       = 8
	serverTablesStatus   = 9
	serverLog            = 10
	serverTableColumns   = 11
	serverProfileEvents  = 14
	serverTimezoneUpdate = 17
)
